{#- The names of columns, quoted and separated by commas. -#}
{% macro cdc_quoted_columns(columns) -%}
    `{{ columns | map(attribute='name') | join('`, `') }}`
{%- endmacro %}
