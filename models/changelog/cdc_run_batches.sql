{{
    config(
        materialized='cdc_table',
        cdc_write='replace',
        cdc_always=true,
        file_format=cdc_work_format(),
        pre_hook="{{ cdc_begin_run() }}",
        post_hook=["{{ cdc_forget_run_facts() }}", "{{ cdc_refuse_changed_configuration() }}"],
    )
}}
{%- set loads = cdc_earlier(this.schema, 'cdc_loads', [
    {'name': 'load_number', 'type': 'bigint'}, {'name': 'vendor', 'type': 'string'},
    {'name': 'landing_batch', 'type': 'bigint'}, {'name': 'configuration', 'type': 'string'},
]) %}
{%- set watermarks = cdc_earlier(this.schema, 'cdc_watermarks', [
    {'name': 'model_name', 'type': 'string'}, {'name': 'load_number', 'type': 'bigint'},
    {'name': 'history_configuration', 'type': 'string'}, {'name': 'run_number', 'type': 'bigint'},
]) %}

with landed_and_finished as (
    {%- for spec in cdc_vendors() %}
    select
        '{{ spec.name }}' as vendor,
        landing_batch as landed_batch,
        cast(null as bigint) as finished_batch,
        cast(null as bigint) as load_number,
        cast(null as string) as configuration
    from {{ cdc_raw_relation(spec.name) }}
    where {{ cdc_is_not_of_a_finished_range(spec.name) }}
    union all
    {%- endfor %}
    select
        vendor,
        cast(null as bigint) as landed_batch,
        landing_batch as finished_batch,
        load_number,
        configuration
    from {{ loads }}
),

-- The header rows of finished loads have no vendor.
by_vendor as (
    select
        vendor,
        array_except(collect_set(landed_batch), collect_set(finished_batch)) as unread_batches,
        max(load_number) as load_number,
        max_by(configuration, load_number) as configuration
    from landed_and_finished
    group by vendor
),

so_far as (
    select
        flatten(collect_list(transform(
            case when vendor is not null then unread_batches end,
            landing_batch -> struct(vendor as vendor, landing_batch as landing_batch)
        ))) as unread_batches,
        max(load_number) filter (where vendor is null) as finished_load_number,
        max(configuration) filter (where vendor is null) as finished_configuration
    from by_vendor
),

configuration_lines as (
    {{ cdc_configuration_lines() | indent(4) }}
),

configuration_now as (
    select
        to_json(sort_array(collect_list(line))) as configuration,
        md5(to_json(sort_array(collect_list(case when is_for_marts_alone then line end)))) as history_configuration
    from configuration_lines
),

-- A run that was killed after its load was finished and before it made the marts leaves a watermark that is behind;
-- one that was killed while it made the states of all rows leaves its note that it began to.
progress as (
    select
        max(load_number) filter (where model_name = 'cdc_row_states') as applied_load_number,
        max(load_number) filter (where model_name not like 'cdc_rebuild%') as noted_load_number,
        max_by(history_configuration, run_number) filter (where model_name = 'cdc_row_states')
            as applied_history_configuration,
        coalesce(
            max(run_number) filter (where model_name = 'cdc_row_states_begun')
            > coalesce(max(run_number) filter (where model_name = 'cdc_row_states'), 0),
            false
        ) as is_half_made,
        max(load_number) filter (where model_name = 'cdc_configuration_begun') as configured_load_number
    from {{ watermarks }}
),

this_run as (
    select
        greatest(
            {{ cdc_run_started_micros() }},
            coalesce(so_far.finished_load_number, 0) + 1,
            coalesce(progress.noted_load_number, 0) + 1
        ) as load_number,
        so_far.finished_load_number as retried_load_number,
        configuration_now.configuration,
        configuration_now.history_configuration,
        size(so_far.unread_batches) = 0
        and so_far.finished_configuration <=> configuration_now.configuration
        and coalesce(progress.applied_load_number, 0) >= coalesce(so_far.finished_load_number, 0)
        and not progress.is_half_made
        and coalesce(progress.applied_history_configuration = configuration_now.history_configuration, true) as is_idle,
        progress.is_half_made
        or coalesce(progress.applied_history_configuration <> configuration_now.history_configuration, false)
            as makes_all_rows,
        -- An unfinished run may have begun under yet another configuration.
        not so_far.finished_configuration <=> configuration_now.configuration
        or coalesce(progress.configured_load_number > coalesce(so_far.finished_load_number, 0), false)
            as is_configured_anew,
        so_far.unread_batches
    from so_far
    cross join configuration_now
    cross join progress
),

run_header_and_batches as (
    select
        this_run.load_number,
        this_run.retried_load_number,
        case when batch.vendor is null then this_run.configuration end as configuration,
        case when batch.vendor is null then this_run.history_configuration end as history_configuration,
        this_run.is_idle,
        this_run.makes_all_rows,
        this_run.is_configured_anew,
        batch.vendor,
        batch.landing_batch
    from this_run
        lateral view explode(
            concat(
                array(named_struct('vendor', cast(null as string), 'landing_batch', cast(null as bigint))),
                this_run.unread_batches
            )
        ) exploded as batch
)

select * from run_header_and_batches
