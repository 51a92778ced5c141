{{ config(materialized='cdc_table', cdc_write='replace', cdc_always=true, file_format=cdc_work_format()) }}
{%- set loads = cdc_earlier(this.schema, 'cdc_loads', [
    {'name': 'load_number', 'type': 'bigint'}, {'name': 'vendor', 'type': 'string'},
    {'name': 'landing_batch', 'type': 'bigint'}, {'name': 'configuration', 'type': 'string'},
]) %}
{%- set changelog = cdc_earlier(var('cdc_schema', 'cdc'), 'cdc_changelog', [
    {'name': 'load_number', 'type': 'bigint'},
]) %}
{%- set watermarks = cdc_earlier(this.schema, 'cdc_watermarks', [
    {'name': 'model_name', 'type': 'string'}, {'name': 'load_number', 'type': 'bigint'},
]) %}

with finished_loads as (
    select
        load_number,
        vendor,
        landing_batch,
        configuration
    from {{ loads }}
),

landed_and_finished as (
    {%- for spec in cdc_vendors() %}
    select
        '{{ spec.name }}' as vendor,
        landing_batch as landed_batch,
        cast(null as bigint) as finished_batch
    from {{ cdc_raw_relation(spec.name) }}
    union all
    {%- endfor %}
    select
        vendor,
        cast(null as bigint) as landed_batch,
        landing_batch as finished_batch
    from finished_loads
),

unread_of_a_vendor as (
    select
        vendor,
        array_except(collect_set(landed_batch), collect_set(finished_batch)) as landing_batches
    from landed_and_finished
    where vendor is not null
    group by vendor
),

unread as (
    select
        flatten(collect_list(transform(
            landing_batches, landing_batch -> struct(vendor as vendor, landing_batch as landing_batch)
        ))) as batches
    from unread_of_a_vendor
),

last_finished as (
    select
        max(load_number) as load_number,
        max_by(configuration, load_number) as configuration
    from finished_loads
),

configuration_now as (
    select md5(concat_ws('\n', sort_array(collect_list(line)))) as configuration
    from (
        select to_json(struct(*)) as line from {{ ref('cdc_tables') }}
        union all
        select to_json(struct(*)) as line from {{ ref('cdc_epochs') }}
        union all
        select '{{ var("cdc_sources_without_transactions", []) | tojson }}' as line
    )
),

-- A run that was killed after it wrote the changelog and before it made the marts leaves a watermark that is behind.
progress as (
    select
        max(case when logged then load_number end) as logged_load_number,
        max(case when not logged then load_number end) as applied_load_number
    from (
        select
            load_number,
            true as logged
        from {{ changelog }}
        union all
        select
            load_number,
            false as logged
        from {{ watermarks }}
        where model_name = 'cdc_row_states'
    )
),

this_run as (
    select
        greatest(
            {{ (run_started_at.timestamp() * 1000000) | int }},
            coalesce(last_finished.load_number, 0) + 1
        ) as load_number,
        last_finished.load_number as retried_load_number,
        configuration_now.configuration,
        size(unread.batches) = 0
        and last_finished.configuration <=> configuration_now.configuration
        and coalesce(progress.applied_load_number, 0) >= coalesce(progress.logged_load_number, 0) as is_idle,
        unread.batches
    from last_finished
    cross join configuration_now
    cross join progress
    cross join unread
),

run_header_and_batches as (
    select
        this_run.load_number,
        this_run.retried_load_number,
        this_run.configuration,
        this_run.is_idle,
        batch.vendor,
        batch.landing_batch
    from this_run
        lateral view explode(
            concat(
                array(named_struct('vendor', cast(null as string), 'landing_batch', cast(null as bigint))),
                this_run.batches
            )
        ) exploded as batch
)

select * from run_header_and_batches
