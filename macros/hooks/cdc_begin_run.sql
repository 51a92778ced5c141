{#- Hook at the start of every command: takes the lock, creates what is not there yet, and looks whether the lock is still its own. -#}
{% macro cdc_begin_run() -%}
    {%- if execute and flags.WHICH in ['run', 'build', 'seed', 'test', 'compile'] -%}
        {%- do cdc_check_parsed_vendors() -%}
        {%- do cdc_check_schemas() -%}
        {%- do _cdc_check_version() -%}
        {%- do cdc_set_session() -%}
        {%- set writes = flags.WHICH in ['run', 'build', 'seed'] -%}
        {#- dbt calls the hook at the end of a command only where this one succeeds, so nothing may fail behind the lock. -#}
        {%- do cdc_check_functions() if flags.WHICH == 'seed' and cdc_calls_python() -%}
        {%- do _cdc_check_listing() if writes -%}
        {%- set taken = cdc_take_lock() if writes else none -%}
        {%- do cdc_prepare_schemas() -%}
        {%- do cdc_confirm_lock(taken) if writes -%}
        {%- do cdc_note_run_that_died() if flags.WHICH in ['run', 'build'] and taken.run_before_died -%}
    {%- endif -%}
{%- endmacro %}

{#- Stops a run whose listing of the working tables failed, which dbt's adapter takes for an empty schema: it would begin a new store. -#}
{% macro _cdc_check_listing() -%}
    {%- set work = cdc_work_schema() -%}
    {#- dbt makes the schemas of the models that it is to build, which need not be this one. -#}
    {%- if
        not cdc_working_table_exists('int_events')
        and run_query("show schemas like '" ~ work ~ "'").rows | length
        and run_query('show tables in ' ~ work ~ " like 'int_events'").rows | length
    -%}
        {{ exceptions.raise_compiler_error(
            work ~ ".int_events exists, and dbt's listing of the schema at its start did not find it: a table was dropped at that "
            ~ 'moment. Run it again.') }}
    {%- endif -%}
{%- endmacro %}

{#- Stops a run in a warehouse that version 0.1 of the package built: its tables are others. -#}
{% macro _cdc_check_version() -%}
    {%- if cdc_working_table_exists('cdc_loads') -%}
        {{ exceptions.raise_compiler_error(
            'The schemas ' ~ cdc_schema() ~ ' and ' ~ cdc_work_schema() ~ ' were built by version 0.1 of this '
            ~ 'package, whose tables are others. Drop both (not ' ~ var('cdc_raw_schema', 'cdc_raw') ~ ') and run `cdc build`: everything is '
            ~ 'decoded again from the raw messages. Where raw messages have expired, stay on 0.1.') }}
    {%- endif -%}
{%- endmacro %}
