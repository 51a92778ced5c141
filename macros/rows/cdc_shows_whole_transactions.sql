{#- Whether the marts show whole transactions only (var cdc_visibility). -#}
{% macro cdc_shows_whole_transactions() -%}
    {%- set visibility = var('cdc_visibility', 'all') -%}
    {%- if visibility not in ['all', 'transaction'] -%}
        {{ exceptions.raise_compiler_error("var cdc_visibility is '" ~ visibility ~ "'; expected all or transaction.") }}
    {%- endif -%}
    {{ return(visibility == 'transaction') }}
{%- endmacro %}
