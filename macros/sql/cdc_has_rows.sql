{#- Whether a relation has a row, asked while a model is compiled for its run; true while dbt only parses. -#}
{% macro cdc_has_rows(relation) -%}
    {{ return(not execute or run_query('select 1 from ' ~ relation ~ ' limit 1').rows | length > 0) }}
{%- endmacro %}
