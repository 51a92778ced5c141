{#- Whether the marts show whole transactions only (var cdc_visibility). -#}
{% macro cdc_shows_whole_transactions() -%}
    {{ return(cdc_choice('cdc_visibility', ['all', 'transaction']) == 'transaction') }}
{%- endmacro %}
