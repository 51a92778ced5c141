{#- What an event says of the life of its table and its columns (S5, S7); these columns serve the building of rows alone. -#}
{% macro cdc_table_life_columns() -%}
    {%- set columns -%}
        row_columns array<string>
        ended_columns array<string>
        ends_table boolean
        table_identity string
    {%- endset -%}
    {{ return(cdc_parse_columns(columns)) }}
{%- endmacro %}
