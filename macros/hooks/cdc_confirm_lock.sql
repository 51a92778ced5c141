{#- Stops the run if another one took the lock at the same moment; else fences off a killed run. -#}
{% macro cdc_confirm_lock(taken) -%}
    {%- set milliseconds_left = 250 - ((cdc_now() - taken.at) * 1000) | int -%}
    {%- if milliseconds_left > 0 -%}
        {%- do run_query("select reflect('java.lang.Thread', 'sleep', " ~ milliseconds_left ~ 'L)') -%}
    {%- endif -%}
    {%- set holder = cdc_lock_holder() -%}
    {%- if holder and holder[0] != cdc_run_name() -%} {{ cdc_fail_second_run(holder, cdc_now()) }} {%- endif -%}
    {#- Two runs that fence off at the same moment would fail each other. -#}
    {%- do _cdc_fence_off_killed_run() if taken.after_killed_run -%}
{%- endmacro %}

{#- Makes a statement that a killed run left on the server fail: a concurrent change of table properties makes Delta abort its commit. -#}
{% macro _cdc_fence_off_killed_run() -%}
    {%- for table in ['int_events', 'int_row_versions'] if cdc_working_table_exists(table) and env_var('CDC_TABLE_FORMAT', 'delta') == 'delta' -%}
        {%- do run_query(
            'alter table ' ~ cdc_work_schema() ~ '.' ~ table ~ " set tblproperties ('cdc.run' = '" ~ invocation_id ~ "')"
        ) -%}
    {%- endfor -%}
{%- endmacro %}
