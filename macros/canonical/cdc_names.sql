{#- The names of columns, quoted and separated by commas. columns: list of {'name', 'type'}. -#}
{% macro cdc_names(columns) -%}
    `{{ columns | map(attribute='name') | join('`, `') }}`
{%- endmacro %}
