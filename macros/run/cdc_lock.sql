{#- One run at a time. The lock is a setting of the server's one session, so it is gone when the server is; it names the run and
    when that took it. A run that was killed is forgotten after `cdc_lock_minutes`, or at once by `dbt run-operation cdc_unlock`. -#}

{#- Takes the lock, or fails with an error that says what to do. -#}
{% macro cdc_take_lock() -%}
    {%- set now = _cdc_now() -%}
    {%- set holder = cdc_lock_holder() -%}
    {#- An earlier step of the same command has taken it. -#}
    {%- if holder and holder[0] == cdc_run_name() -%} 
        {{ return({'at': now - 1, 'after_killed_run': false, 'run_before_died': holder[2:] == ['after a death']}) }}
    {%- endif -%}
    {%- if holder and holder[0] not in ['unlocked', 'interrupted', 'ended'] and now - holder[1] | float < var('cdc_lock_minutes', 60) | int * 60 -%}
        {{ _cdc_refuse_second_run(holder, now) }}
    {%- endif -%}
    {#- dbt lists what there is once, before this hook. -#}
    {%- if holder and holder[1] | float >= run_started_at.timestamp() -%}
        {{ exceptions.raise_compiler_error(
            'Another run ended after this one had begun, so what this one found at its start is not true any more. '
            ~ 'Run it again. If it says so again, the clocks of the machines that run dbt differ: '
            ~ 'dbt run-operation cdc_unlock.') }}
    {%- endif -%}
    {#- Without a holder the server was started since. -#}
    {%- set run_before_died = not holder or holder[0] not in ['interrupted', 'ended'] -%}
    {%- do cdc_write_lock(cdc_run_name(), 'after a death' if run_before_died else '') -%}
    {{ return({'at': now, 'after_killed_run': holder and holder[0] != 'ended', 'run_before_died': run_before_died}) }}
{%- endmacro %}

{#- Makes a statement that a killed run left on the server fail: a concurrent change of table properties makes Delta abort its commit. -#}
{% macro _cdc_fence_off_killed_run() -%}
    {%- for table in ['int_events', 'int_row_versions'] if _cdc_exists(table) and env_var('CDC_TABLE_FORMAT', 'delta') == 'delta' -%}
        {%- do run_query(
            'alter table ' ~ cdc_work_schema() ~ '.' ~ table ~ " set tblproperties ('cdc.run' = '" ~ invocation_id ~ "')"
        ) -%}
    {%- endfor -%}
{%- endmacro %}

{#- Stops the run if another one took the lock at the same moment; else fences off a killed run. -#}
{% macro cdc_confirm_lock(taken) -%}
    {%- set milliseconds_left = 250 - ((_cdc_now() - taken.at) * 1000) | int -%}
    {%- if milliseconds_left > 0 -%}
        {%- do run_query("select reflect('java.lang.Thread', 'sleep', " ~ milliseconds_left ~ 'L)') -%}
    {%- endif -%}
    {%- set holder = cdc_lock_holder() -%}
    {%- if holder and holder[0] != cdc_run_name() -%} {{ _cdc_refuse_second_run(holder, _cdc_now()) }} {%- endif -%}
    {#- Two runs that fence off at the same moment would fail each other. -#}
    {%- do _cdc_fence_off_killed_run() if taken.after_killed_run -%}
{%- endmacro %}

{#- Takes the lock from a run that was killed: dbt run-operation cdc_unlock. -#}
{% macro cdc_unlock() -%}
    {%- do cdc_write_lock('unlocked') -%}
    {{ log('The lock is free.', info=true) }}
{%- endmacro %}

{#- Who holds the lock and since when: [invocation id, seconds], and `after a death` where the run before it died. Where the lock is free,
    `ended`, `interrupted` (by Ctrl-C) or `unlocked` stands in place of the id. -#}
{% macro cdc_lock_holder() -%}
    {%- set found = run_query('set ' ~ _cdc_lock_name()).rows[0][1] | string -%}
    {{ return(found.split('@') if '@' in found else []) }}
{%- endmacro %}

{#- Writes the lock. -#}
{% macro cdc_write_lock(holder, remark='') -%}
    {%- do run_query('set ' ~ _cdc_lock_name() ~ '=' ~ holder ~ '@' ~ _cdc_now() ~ ('@' ~ remark if remark else '')) -%}
{%- endmacro %}

{#- Stops a run that is not the one that holds the lock. -#}
{% macro _cdc_refuse_second_run(holder, now) -%}
    {{ exceptions.raise_compiler_error(
        'Another run (' ~ holder[0] ~ ') is writing to schema ' ~ cdc_work_schema() ~ ' since '
        ~ (now - holder[1] | float) | int ~ ' s. Wait for its end. If it was killed: make unlock (dbt run-operation cdc_unlock).') }}
{%- endmacro %}

{#- Seconds since 1970. -#}
{% macro _cdc_now() -%}
    {{ return(modules.datetime.datetime.now(modules.pytz.utc).timestamp()) }}
{%- endmacro %}

{#- The session setting that is the lock. -#}
{% macro _cdc_lock_name() -%}
    {{ return('cdc.lock.' ~ cdc_work_schema()) }}
{%- endmacro %}
