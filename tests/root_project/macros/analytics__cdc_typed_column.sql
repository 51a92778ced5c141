{#- Our shop writes booleans as Y and N. -#}
{% macro spark__cdc_typed_column(name, type, fields) -%}
    {%- if type == 'boolean' -%}
        case try_element_at({{ fields }}, '{{ name }}') when 'Y' then true when 'N' then false end
    {%- else -%}
        {{ cdc_changelog.default__cdc_typed_column(name, type, fields) }}
    {%- endif -%}
{%- endmacro %}
