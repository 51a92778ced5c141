{#- Whether rows are folded, masks decoded and signatures checked by Python functions of the server, or all in SQL
    (var cdc_functions_in). -#}
{% macro cdc_calls_python() -%}
    {{ return(cdc_choice('cdc_functions_in', ['python', 'sql']) == 'python') }}
{%- endmacro %}
