{#- The table of the lock, or of the heartbeat of the run that holds it: one line with a text. -#}
{% macro cdc_lock_table(note) -%}
    {{ return(cdc_work_schema() ~ '.run_' ~ note) }}
{%- endmacro %}
