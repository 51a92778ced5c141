{#- One run at a time. The lock is a setting of the server's one session, so it is gone when the server is; it names the run
    and when that was last seen. Called before a table, a view or the configuration is written: takes the lock where it is
    free, keeps it where it is ours, and stops the run with a word on what to do where another run holds it, or held it when
    this one had begun: dbt lists what there is once, at its start. A run that was killed is forgotten after
    `cdc_lock_minutes`, or at once by `dbt run-operation cdc_unlock`. What it may still be writing then fails: each table it
    could write to gets a new property, and Delta refuses to commit beside a change of a table's properties. -#}
{% macro cdc_hold_lock() -%}
    {%- if not execute -%} {{ return('') }} {%- endif -%}
    {%- set now = _cdc_now() -%}
    {#- Found to be ours less than a minute ago: only cdc_unlock may have freed it since, and that is noticed a minute later. -#}
    {%- set seen = 'cdc_lock_seen_by_' ~ invocation_id -%}
    {%- if now - graph.get(seen, 0) < 60 -%} {{ return('') }} {%- endif -%}
    {%- set holder = cdc_lock_holder() -%}
    {%- set is_ours = holder | length > 0 and holder[0] == invocation_id -%}
    {%- set patience = var('cdc_lock_minutes', 30) | int * 60 -%}
    {%- if holder and not is_ours and holder[0] not in ['unlocked', 'ended'] and now - holder[1] | float < patience -%}
        {{ cdc_refuse_second_run(holder, now) }}
    {%- endif -%}
    {%- if seen in graph and not is_ours -%}
        {{ exceptions.raise_compiler_error(
            'This run has lost its lock: it was unlocked, or was not seen for ' ~ var('cdc_lock_minutes', 30)
            ~ ' minutes, and another run may have written since. Run it again.') }}
    {%- endif -%}
    {%- if holder and not is_ours and holder[1] | float >= run_started_at.timestamp() -%}
        {{ exceptions.raise_compiler_error(
            'Another run ended after this one had begun, so what this one found at its start is not true any more. '
            ~ 'Run it again. If it says so again, the clocks of the machines that run dbt differ: '
            ~ 'dbt run-operation cdc_unlock.') }}
    {%- endif -%}
    {%- do cdc_set_session() if is_ours -%}
    {%- do run_query('set ' ~ cdc_lock_name() ~ '=' ~ invocation_id ~ '@' ~ now) -%}
    {%- if not is_ours -%}
        {#- Two runs may both have found it free: half a second later only the last one to write still finds itself here. What
            the run asks first anyway takes about as long. -#}
        {%- set taken_at = _cdc_now() -%}
        {%- do cdc_run_notes() -%}
        {%- set milliseconds_left = 500 - ((_cdc_now() - taken_at) * 1000) | int -%}
        {%- if milliseconds_left > 0 -%}
            {%- do run_query("select reflect('java.lang.Thread', 'sleep', " ~ milliseconds_left ~ 'L)') -%}
        {%- endif -%}
        {%- set holder_now = cdc_lock_holder() -%}
        {%- if holder_now and holder_now[0] != invocation_id -%} {{ cdc_refuse_second_run(holder_now, now) }} {%- endif -%}
        {%- if holder and holder[0] != 'ended' -%} {%- do cdc_fence_off_other_runs() -%} {%- endif -%}
    {%- endif -%}
    {%- do graph.update({seen: now}) -%}
{%- endmacro %}

{#- Stops a run that is not the one that holds the lock. holder: as cdc_lock_holder gives it; now: seconds since 1970. -#}
{% macro cdc_refuse_second_run(holder, now) -%}
    {{ exceptions.raise_compiler_error(
        'Another run (' ~ holder[0] ~ ') is writing to schema ' ~ var('cdc_work_schema', 'cdc_work') ~ '; it was last seen '
        ~ (now - holder[1] | float) | int ~ ' s ago. Wait for its end. If it was killed: dbt run-operation cdc_unlock.') }}
{%- endmacro %}

{#- Hook at the end of a run: gives the lock back if it is ours. -#}
{% macro cdc_release_lock() -%}
    {%- if execute and flags.WHICH in ['run', 'build', 'seed'] -%}
        {%- set holder = cdc_lock_holder() -%}
        {%- if holder and holder[0] == invocation_id -%} {%- do cdc_free_lock('ended') -%} {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#- Takes the lock from a run that was killed: dbt run-operation cdc_unlock. -#}
{% macro cdc_unlock() -%}
    {%- do cdc_free_lock('unlocked') -%}
    {{ log('The lock is free.', info=true) }}
{%- endmacro %}

{#- Frees the lock and notes when. how: ended, by the run that held it; unlocked, by somebody else. -#}
{% macro cdc_free_lock(how) -%}
    {%- do run_query('set ' ~ cdc_lock_name() ~ '=' ~ how ~ '@' ~ _cdc_now()) -%}
{%- endmacro %}

{#- Who holds the lock and when that run was last seen, in seconds since 1970: [invocation id, seconds]; `ended` or `unlocked`
    in place of the id where it is free; an empty list where nobody ever held it. -#}
{% macro cdc_lock_holder() -%}
    {%- set found = run_query('set ' ~ cdc_lock_name()).rows[0][1] | string -%}
    {{ return(found.split('@') if '@' in found else []) }}
{%- endmacro %}

{#- Seconds since 1970. -#}
{% macro _cdc_now() -%}
    {{ return(modules.datetime.datetime.now(modules.pytz.utc).timestamp()) }}
{%- endmacro %}

{#- The session setting that is the lock. -#}
{% macro cdc_lock_name() -%}
    {{ return('cdc.lock.' ~ var('cdc_work_schema', 'cdc_work')) }}
{%- endmacro %}

{#- Makes statements that another run left behind fail when they try to commit. -#}
{% macro cdc_fence_off_other_runs() -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' and node.config.get('cdc_write')
        and node.config.get('file_format') == 'delta' -%}
        {%- set relation = adapter.get_relation(database=none, schema=node.schema, identifier=node.alias) -%}
        {%- if relation -%}
            {%- do run_query("alter table " ~ relation ~ " set tblproperties ('cdc.run' = '" ~ invocation_id ~ "')") -%}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}
