{#- Schemas are named in full by vars (cdc_schema, cdc_work_schema …): nothing is appended to the target's. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ (custom_schema_name or target.schema) | trim }}
{%- endmacro %}
