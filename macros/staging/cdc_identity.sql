{#- The identity of a change or of a schema message, put together of its parts (SQL expressions): a JSON list, so that no part can imitate
    another one's end. -#}
{% macro cdc_identity(parts) -%}
    to_json(array(
        {%- for part in parts %}
        {{ part }}{{ ',' if not loop.last }}
        {%- endfor %}
    ))
{%- endmacro %}
