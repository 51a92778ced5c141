{#- A JSON object out of the JSON texts of its members, by name; a member whose text is null is left out. -#}
{% macro cdc_json_object(members) -%}
    concat('{', concat_ws(
        ','
        {%- for name, text in members.items() %},
        concat('"{{ name }}":', {{ text }})
        {%- endfor %}
    ), '}')
{%- endmacro %}
