{#- Column names as cdc_tables has them, `id`, `order_id, line_no` or a JSON array, as array<string>. -#}
{% macro cdc_parse_name_list(text) -%}
    case
        when startswith(trim({{ text }}), '[') then from_json({{ text }}, 'array<string>')
        else transform(split({{ text }}, ','), name -> trim(name))
    end
{%- endmacro %}
