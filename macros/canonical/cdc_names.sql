{#- The names of columns, quoted and separated by commas. -#}
{% macro cdc_names(columns) -%}
    `{{ columns | map(attribute='name') | join('`, `') }}`
{%- endmacro %}

{#- A list of columns as macros take it, [{'name', 'type'}]. -#}
{% macro cdc_columns(text) -%}
    {%- set columns = [] -%}
    {%- for column in text.split('; ') -%}
        {%- set name, _, type = column.partition(' ') -%}
        {%- do columns.append({'name': name, 'type': type}) -%}
    {%- endfor -%}
    {{ return(columns) }}
{%- endmacro %}
