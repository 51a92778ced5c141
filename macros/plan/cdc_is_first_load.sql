{#- Whether nothing is stored before this load: the first one, or a rebuild. -#}
{% macro cdc_is_first_load() -%}
    {{ return(cdc_is_rebuild() or (cdc_is_in_a_run() and not cdc_working_table_exists('int_events'))) }}
{%- endmacro %}
