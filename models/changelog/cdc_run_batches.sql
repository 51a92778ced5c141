{{ config(materialized='table', file_format=env_var('CDC_TABLE_FORMAT', 'delta')) }}
{%- set loads = cdc_earlier(this.schema, 'cdc_loads', [
    {'name': 'load_number', 'type': 'bigint'}, {'name': 'vendor', 'type': 'string'},
    {'name': 'landing_batch', 'type': 'bigint'}, {'name': 'configuration', 'type': 'string'},
]) %}
{%- set changelog = cdc_earlier(var('cdc_schema', 'cdc'), 'cdc_changelog', [{'name': 'load_number', 'type': 'bigint'}]) %}
{%- set watermarks = cdc_earlier(this.schema, 'cdc_watermarks', [
    {'name': 'model_name', 'type': 'string'}, {'name': 'load_number', 'type': 'bigint'},
]) %}

with landed as (
    {%- for spec in cdc_vendors() %}
    select distinct '{{ spec.name }}' as vendor, landing_batch
    from {{ cdc_raw_relation(spec.name) }}
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
),

finished_loads as (
    select load_number, vendor, landing_batch, configuration from {{ loads }}
),

unread as (
    select landed.vendor, landed.landing_batch
    from landed
    left anti join finished_loads
        on landed.vendor = finished_loads.vendor and landed.landing_batch = finished_loads.landing_batch
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

applied as (
    select max(load_number) as load_number from {{ watermarks }} where model_name = 'cdc_row_states'
),

logged as (
    select max(load_number) as load_number from {{ changelog }}
),

this_run as (
    select
        greatest(
            {{ (run_started_at.timestamp() * 1000000) | int }},
            coalesce(last_finished.load_number, 0) + 1
        ) as load_number,
        last_finished.load_number as retried_load_number,
        configuration_now.configuration,
        (select count(*) from unread) = 0
        and last_finished.configuration <=> configuration_now.configuration
        and coalesce(applied.load_number, 0) >= coalesce(logged.load_number, 0) as is_idle
    from last_finished
    cross join configuration_now
    cross join applied
    cross join logged
),

run_header_and_batches as (
    select
        load_number, retried_load_number, configuration, is_idle,
        cast(null as string) as vendor, cast(null as bigint) as landing_batch
    from this_run
    union all
    select
        this_run.load_number, this_run.retried_load_number, this_run.configuration, this_run.is_idle,
        unread.vendor, unread.landing_batch
    from unread
    cross join this_run
)

select * from run_header_and_batches
