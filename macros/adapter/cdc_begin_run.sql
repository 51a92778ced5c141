{#- Pre-hook of cdc_run_batches. A rebuild that did not come to its end has left old and new side by side: no other run goes on
    from there. A rebuild itself begins only where every landing batch that was ever read is still there to be read again, and
    is noted until the marts are made. What a killed run was about to withdraw is withdrawn first. -#}
{% macro cdc_begin_run() -%}
    {%- if not execute -%} {{ return('') }} {%- endif -%}
    {%- do cdc_refuse_incomplete_selection() -%}
    {%- do cdc_refuse_incomplete_listing() -%}
    {%- do cdc_end_rewrites() -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    {%- if not cdc_is_rebuild() -%}
        {%- if cdc_run_notes().rebuild_is_unfinished -%}
            {{ exceptions.raise_compiler_error(
                'A rebuild was begun and did not come to its end; what it left is half old and half new. '
                ~ "Run `make rebuild` (dbt build --vars '{cdc_rebuild: true}') again.") }}
        {%- endif -%}
        {%- if cdc_run_notes().withdrawal_is_unfinished
            and adapter.get_relation(database=none, schema=work_schema, identifier='cdc_loads') -%}
            {%- do cdc_end_withdrawals() -%}
        {%- endif -%}
        {{ return('') }}
    {%- endif -%}
    {%- set loads = adapter.get_relation(database=none, schema=work_schema, identifier='cdc_loads') -%}
    {%- set gone = [] -%}
    {%- for spec in cdc_vendors() if loads -%}
        {%- set missing = run_query(
            'select distinct loads.landing_batch from ' ~ loads ~ ' as loads left anti join '
            ~ cdc_raw_relation(spec.name) ~ " as raw on raw.landing_batch = loads.landing_batch where loads.vendor = '"
            ~ spec.name ~ "' order by 1") -%}
        {%- if missing.rows | length -%}
            {%- do gone.append(spec.name ~ ': ' ~ missing.columns[0].values() | join(', ')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if gone -%}
        {{ exceptions.raise_compiler_error(
            'A rebuild reads all raw messages again, and these landing batches are not there any more: ' ~ gone | join('; ')
            ~ '. Nothing was changed. Bring them back, or keep the changelog and make the marts alone from it: '
            ~ 'make build ARGS=--full-refresh.') }}
    {%- endif -%}
    {%- do run_query(
        'insert into ' ~ work_schema ~ ".cdc_watermarks select 'cdc_rebuild_begun', cast(" ~ cdc_run_started_micros()
        ~ ' as bigint), cast(null as string), cast(null as bigint)') -%}
    {{ return('') }}
{%- endmacro %}

{#- What cdc_watermarks says before this run writes to it, asked once, one dictionary: rebuild_is_unfinished and
    withdrawal_is_unfinished (begun by a run that was killed), and applied_load_number, up to which the states are made (0:
    none). -#}
{% macro cdc_run_notes() -%}
    {%- set known = 'cdc_run_notes_' ~ invocation_id -%}
    {%- if known not in graph -%}
        {%- set notes = run_query(
            "select max(load_number) filter (where model_name = 'cdc_rebuild_begun') "
            ~ "> coalesce(max(load_number) filter (where model_name = 'cdc_rebuild_done'), 0), "
            ~ "max(load_number) filter (where model_name = 'cdc_withdrawn_change') "
            ~ "> coalesce(max(load_number) filter (where model_name = 'cdc_row_states'), 0), "
            ~ "coalesce(max(load_number) filter (where model_name = 'cdc_row_states'), 0) from "
            ~ var('cdc_work_schema', 'cdc_work') ~ '.cdc_watermarks').rows[0] -%}
        {%- do graph.update({known: {
            'rebuild_is_unfinished': cdc_is_true(notes[0]),
            'withdrawal_is_unfinished': cdc_is_true(notes[1]),
            'applied_load_number': notes[2],
        }}) -%}
    {%- endif -%}
    {{ return(graph[known]) }}
{%- endmacro %}

{#- Stops a run that was told of an empty schema though it is not: dbt's adapter takes a listing that failed (a table went away
    amid it) for an empty one, and what is not there is made anew. -#}
{% macro cdc_refuse_incomplete_listing() -%}
    {%- for schema, table in [(var('cdc_schema', 'cdc'), 'cdc_changelog'), (var('cdc_work_schema', 'cdc_work'), 'cdc_loads')]
        if adapter.get_relation(database=none, schema=schema, identifier=table) is none -%}
        {%- if run_query('show tables in ' ~ schema ~ " like '" ~ table ~ "'").rows | length -%}
            {{ exceptions.raise_compiler_error(
                schema ~ '.' ~ table ~ " exists, and dbt's listing of the schema at its start did not find it: a table "
                ~ 'was dropped at that moment. Run it again.') }}
        {%- endif -%}
    {%- endfor -%}
{%- endmacro %}

{#- When this run was started, in microseconds since 1970. -#}
{% macro cdc_run_started_micros() -%}
    {{ return((run_started_at.timestamp() * 1000000) | int) }}
{%- endmacro %}
