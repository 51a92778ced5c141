{#- The schema of what is public: where dbt has put the model cdc_changelog. -#}
{% macro cdc_schema() -%}
    {{ return(cdc_schema_of('cdc_changelog', var('cdc_schema', 'cdc'))) }}
{%- endmacro %}
