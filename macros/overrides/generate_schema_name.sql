{#- Schemas are named in full: dbt_project.yml says which of the two a model belongs to, and the vars of the same names where that is.
    A var under `vars:` in dbt_project.yml has a say here, and none in dbt_project.yml itself. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {%- if custom_schema_name in ['cdc_schema', 'cdc_work_schema'] -%}
        {{ var(custom_schema_name) | trim }}
    {%- else -%}
        {{ (custom_schema_name or target.schema) | trim }}
    {%- endif -%}
{%- endmacro %}
