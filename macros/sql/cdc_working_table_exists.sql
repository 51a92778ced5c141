{#- Whether a working table is there. -#}
{% macro cdc_working_table_exists(identifier) -%}
    {{ return(adapter.get_relation(database=none, schema=cdc_work_schema(), identifier=identifier) is not none) }}
{%- endmacro %}
