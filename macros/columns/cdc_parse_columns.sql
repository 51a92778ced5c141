{#- A list of columns as macros take it, [{'name', 'type'}], out of a text that has a column on each line, or between semicolons. -#}
{% macro cdc_parse_columns(text) -%}
    {%- set columns = [] -%}
    {%- for line in text.replace(';', '\n').split('\n') if line.strip() -%}
        {%- set name, _, type = line.strip().partition(' ') -%}
        {%- do columns.append({'name': name, 'type': type}) -%}
    {%- endfor -%}
    {{ return(columns) }}
{%- endmacro %}
