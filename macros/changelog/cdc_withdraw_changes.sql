{#- A logged change that a column list which arrived late makes unreadable is withdrawn: it is listed among the waiting elements, and
    taken out of the changelog once that list counts, as if it had never been read otherwise. Three steps, each of which the next run
    can make good: it is noted which changes are concerned (cdc_note_withdrawn_changes), the load is finished, and the changes are
    taken out (cdc_withdraw_changes). The states of all rows are made anew then; it happens seldom. -#}

{#- True where this run places an element so; see column `placing` of cdc_run_exceptions. -#}
{% macro cdc_run_places(placing) -%}
    {%- if cdc_is_idle() -%} {{ return(false) }} {%- endif -%}
    {%- if 'cdc_run_placings' not in graph -%}
        {%- do graph.update({'cdc_run_placings': run_query(
            'select distinct placing from ' ~ var('cdc_work_schema', 'cdc_work') ~ '.cdc_run_exceptions'
            ).columns[0].values() | list}) -%}
    {%- endif -%}
    {{ return(placing in graph['cdc_run_placings']) }}
{%- endmacro %}

{#- Pre-hook of cdc_changelog: notes the changes that will be withdrawn when this load is finished. -#}
{% macro cdc_note_withdrawn_changes() -%}
    {%- if not execute or load_relation(this) is none or not cdc_run_places('withdraw') -%} {{ return('') }} {%- endif -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    insert into {{ work_schema }}.cdc_watermarks
    select distinct
        'cdc_withdrawn_change' as model_name,
        (select max(load_number) from {{ work_schema }}.cdc_run_batches) as load_number,
        change_id as history_configuration,
        cast(null as bigint) as run_number
    from {{ work_schema }}.cdc_run_exceptions
    where placing = 'withdraw'
{%- endmacro %}

{#- Post-hook of cdc_loads: the load is finished, so what it withdraws is taken out of the changelog. -#}
{% macro cdc_withdraw_changes() -%}
    {%- if not execute or not cdc_run_places('withdraw') -%} {{ return('') }} {%- endif -%}
    {%- do cdc_end_withdrawals() -%}
    {%- do cdc_run_facts().update({'makes_all_rows': true}) -%}
    {{ return('') }}
{%- endmacro %}

{#- Takes out of the changelog what finished loads withdrew and a later one did not add again, after a note that the states of
    all rows have to be made. -#}
{% macro cdc_end_withdrawals() -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    {%- set changelog = var('cdc_schema', 'cdc') ~ '.cdc_changelog' -%}
    {%- do run_query(cdc_note_row_states_begun('cdc_loads')) -%}
    {%- set withdrawn -%}
        (
            select notes.history_configuration as change_id, max(notes.load_number) as load_number
            from {{ work_schema }}.cdc_watermarks as notes
            left semi join {{ work_schema }}.cdc_loads as loads on notes.load_number = loads.load_number
            where notes.model_name = 'cdc_withdrawn_change'
            group by notes.history_configuration
        )
    {%- endset -%}
    {%- set is_withdrawn = 'target.change_id = withdrawn.change_id and target.load_number < withdrawn.load_number' -%}
    {%- if env_var('CDC_TABLE_FORMAT', 'delta') == 'parquet' -%}
        {%- set rows_that_stay -%}
            select target.* from {{ changelog }} as target left anti join {{ withdrawn }} as withdrawn on {{ is_withdrawn }}
        {%- endset -%}
        {{ cdc_rewrite(changelog, rows_that_stay, 'withdrawn') }}
    {%- else -%}
        {%- do run_query(
            'merge into ' ~ changelog ~ ' as target using ' ~ withdrawn ~ ' as withdrawn on ' ~ is_withdrawn
            ~ ' when matched then delete') -%}
    {%- endif -%}
{%- endmacro %}
