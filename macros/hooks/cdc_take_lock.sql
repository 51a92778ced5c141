{#- One run at a time. The lock names the run and when that took it. It is a setting of the server's one session, so that it is gone when the
    server is, or a table (`cdc_lock_in`). A run that was killed is forgotten a minute after its last heartbeat, one without heartbeats
    after `cdc_lock_minutes`, or at once by `dbt run-operation cdc_unlock`. -#}

{#- Takes the lock, or fails with an error that says what to do. -#}
{% macro cdc_take_lock() -%}
    {%- do cdc_create_lock() -%}
    {%- set now = cdc_now() -%}
    {%- set holder = cdc_lock_holder() -%}
    {#- Nobody has taken the lock since the server started, or nobody could see it. -#}
    {%- do cdc_check_shared_session() if not holder and not cdc_lock_is_a_table() -%}
    {#- An earlier step of the same command has taken it. -#}
    {%- if holder and holder[0] == cdc_run_name() -%} 
        {{ return({'at': now - 1, 'after_killed_run': false, 'run_before_died': holder[2:] == ['after a run that died']}) }}
    {%- endif -%}
    {%- if holder and holder[0] not in ['unlocked', 'interrupted', 'ended'] and cdc_is_run_alive(holder, now) -%}
        {{ cdc_fail_second_run(holder, now) }}
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
    {%- do cdc_write_lock(cdc_run_name(), 'after a run that died' if run_before_died else '', holder) -%}
    {{ return({'at': now, 'after_killed_run': holder and holder[0] != 'ended', 'run_before_died': run_before_died}) }}
{%- endmacro %}
