{#- The options with which from_json reads what JSON allows, and no more; also those that Spark sets by default are turned off. -#}
{% macro cdc_strict_json() -%}
    map('allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false')
{%- endmacro %}
