{#- Whether the run that holds the lock is still going. One that `cdc` has started says so every 15 seconds; of another one only the time is
    known at which it began. -#}
{% macro cdc_is_run_alive(holder, now) -%}
    {%- set heartbeat = cdc_lock_note('heartbeat') -%}
    {%- if heartbeat and heartbeat[0] == holder[0] -%} {{ return(now - heartbeat[1] | float < 60) }} {%- endif -%}
    {{ return(now - holder[1] | float < var('cdc_lock_minutes', 60) | int * 60) }}
{%- endmacro %}
