{#- Hook at the end of every command: gives the lock back if it is ours, and ends red where landing batches were left unread. -#}
{% macro cdc_end_run() -%}
    {%- if execute and flags.WHICH in ['run', 'build', 'seed'] -%}
        {%- set holder = cdc_lock_holder() -%}
        {%- if holder and holder[0] == cdc_run_name() and not env_var('CDC_RUN_GOES_ON', '') -%}
            {%- do cdc_write_lock('ended') -%}
        {%- endif -%}
        {%- do cdc_report_unread_batches() if flags.WHICH in ['run', 'build'] -%}
    {%- endif -%}
{%- endmacro %}
