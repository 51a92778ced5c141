{#- What happened to landing batches that a run could not read: the table int_batch_log, which exists from the first such event on.
    Events: `died` (a run died that was reading the batch, one of so many), `set aside` and `try again` (an operator decided so). -#}

{#- The log, or no rows. -#}
{% macro cdc_batch_log() -%}
    {{ cdc_relation_or_no_rows(
        cdc_work_schema(), 'int_batch_log',
        cdc_columns('vendor string; landing_batch bigint; event string; batches int; noted_at timestamp')) }}
{%- endmacro %}

{#- The batches of the log as they are now, one row each: how many runs died since it was last to be tried again, whether one of them read
    nothing else, and whether it is set aside. A batch is left out once two runs have died at it, one of them alone with it. -#}
{% macro cdc_batch_states() -%}
    (
        select
            log.vendor,
            log.landing_batch,
            count_if(log.event = 'died') as deaths,
            count_if(log.event = 'died') >= 2 and max(log.event = 'died' and log.batches = 1) as is_left_out,
            max(log.event = 'set aside') as is_set_aside
        from {{ cdc_batch_log() }} as log
        left join (
            select vendor, landing_batch, max(noted_at) as decided_at
            from {{ cdc_batch_log() }}
            where event = 'try again'
            group by vendor, landing_batch
        ) as decisions
            on log.vendor = decisions.vendor and log.landing_batch = decisions.landing_batch
        where decisions.decided_at is null or log.noted_at > decisions.decided_at
        group by log.vendor, log.landing_batch
    )
{%- endmacro %}

{#- Notes the landing batches that a run had begun to read and not stored when it died. -#}
{% macro cdc_note_deaths() -%}
    {%- if cdc_is_rebuild() or not _cdc_exists('run_landing_batches') -%} {{ return('') }} {%- endif -%}
    {%- set unread = run_query(
        'select vendor, landing_batch from ' ~ cdc_work_schema() ~ '.run_landing_batches as batches left anti join '
        ~ cdc_event_store() ~ ' as events using (vendor, landing_batch) where vendor is not null'
    ).rows -%}
    {%- if unread -%}
        {%- do _cdc_note_batches(unread, 'died') -%}
        {{ log(
            'The last run died while it read ' ~ unread | length ~ ' landing batch' ~ ('es' if unread | length > 1 else '')
            ~ ': ' ~ _cdc_batch_names(unread) ~ '.', info=true) }}
    {%- endif -%}
{%- endmacro %}

{#- Ends the command red where batches were left unread because two runs died at them; everything else is done by then. -#}
{% macro cdc_report_unread_batches() -%}
    {%- if not _cdc_exists('int_batch_log') or not _cdc_exists('int_events') -%} {{ return('') }} {%- endif -%}
    {%- set unread = run_query(
        'select vendor, landing_batch from ' ~ cdc_batch_states() ~ ' as states left anti join ' ~ cdc_work_schema()
        ~ '.int_events as events using (vendor, landing_batch) where is_left_out and not is_set_aside order by 1, 2'
    ).rows -%}
    {%- if unread -%}
        {%- set vendor, batch = unread[0][0], unread[0][1] -%}
        {{ exceptions.raise_compiler_error(
            'Two runs died while they read ' ~ _cdc_batch_names(unread) ~ '. This run left ' ~ ('them' if unread | length > 1 else 'it')
            ~ ' out, and did everything else. Give the server more memory, or make cdc_largest_message smaller, and `make try-again VENDOR='
            ~ vendor ~ ' BATCH=' ~ batch ~ '`; or `make set-aside VENDOR=' ~ vendor ~ ' BATCH=' ~ batch
            ~ '`, which leaves its messages in the raw table, unread.') }}
    {%- endif -%}
{%- endmacro %}

{#- Leaves a landing batch unread: dbt run-operation cdc_set_aside --args '{vendor: NAME, landing_batch: NUMBER}'. -#}
{% macro cdc_set_aside(vendor, landing_batch) -%}
    {%- do _cdc_note_batches([[vendor, landing_batch]], 'set aside') -%}
    {{ log(
        'Batch ' ~ landing_batch ~ ' of ' ~ vendor ~ ' is set aside: its messages stay in the raw table, and no run reads them. '
        ~ '`make try-again VENDOR=' ~ vendor ~ ' BATCH=' ~ landing_batch ~ '` takes that back.', info=true) }}
{%- endmacro %}

{#- Lets runs read a landing batch again: dbt run-operation cdc_try_again --args '{vendor: NAME, landing_batch: NUMBER}'. -#}
{% macro cdc_try_again(vendor, landing_batch) -%}
    {%- do _cdc_note_batches([[vendor, landing_batch]], 'try again') -%}
    {{ log('The next run reads batch ' ~ landing_batch ~ ' of ' ~ vendor ~ '.', info=true) }}
{%- endmacro %}

{#- Writes an event of landing batches into the log. -#}
{% macro _cdc_note_batches(batches, event) -%}
    {%- set table = cdc_work_schema() ~ '.int_batch_log' -%}
    {%- set vendors = cdc_vendors() | map(attribute='name') | list -%}
    {%- set values = [] -%}
    {%- for vendor, landing_batch in batches -%}
        {%- if vendor not in vendors or not modules.re.fullmatch('-?[0-9]{1,18}', landing_batch | string) -%}
            {{ exceptions.raise_compiler_error(
                'Batch ' ~ landing_batch ~ ' of ' ~ vendor ~ ' cannot be; expected VENDOR, one of ' ~ vendors | join(', ')
                ~ ', and BATCH, the number of a landing batch.') }}
        {%- endif -%}
        {%- do values.append('(' ~ cdc_literal(vendor) ~ ', cast(' ~ landing_batch ~ ' as bigint), ' ~ cdc_literal(event)
            ~ ', ' ~ batches | length ~ ', current_timestamp())') -%}
    {%- endfor -%}
    {%- do run_query(
        'create table if not exists ' ~ table ~ ' (vendor string, landing_batch bigint, event string, batches int, '
        ~ 'noted_at timestamp) using '
        ~ env_var('CDC_TABLE_FORMAT', 'delta')) -%}
    {%- do run_query('insert into ' ~ table ~ ' values ' ~ values | join(', ')) -%}
    {%- do adapter.cache_added(api.Relation.create(schema=cdc_work_schema(), identifier='int_batch_log', type='table')) -%}
{%- endmacro %}

{#- The names of landing batches for a message, at most ten. -#}
{% macro _cdc_batch_names(batches) -%}
    {%- set names = [] -%}
    {%- for vendor, landing_batch in batches -%} {%- do names.append(vendor ~ ' ' ~ landing_batch) -%} {%- endfor -%}
    {{ names[:10] | join(', ') }}{{ ' and ' ~ (names | length - 10) ~ ' more' if names | length > 10 }}
{%- endmacro %}
