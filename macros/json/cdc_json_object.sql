{#- JSON object text put together from the texts of its members. -#}
{% macro cdc_json_object(members) -%}
    concat('{', concat_ws(
        ','
        {%- for name, text in members.items() %},
        {% if name.startswith('*') %}{{ text }}{% else %}concat('"{{ name }}":', {{ text }}){% endif %}
        {%- endfor %}
    ), '}')
{%- endmacro %}
