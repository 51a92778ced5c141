{{ config(materialized='cdc_table', cdc_write='replace', file_format=cdc_work_format()) }}
{%- set changelog = cdc_earlier(var('cdc_schema', 'cdc'), 'cdc_changelog', [
    {'name': 'change_id', 'type': 'string'}, {'name': 'identity_hash', 'type': 'bigint'},
    {'name': 'position', 'type': 'string'}, {'name': 'committed_at', 'type': 'timestamp'},
    {'name': 'snapshot_at', 'type': 'timestamp'}, {'name': 'transaction_id', 'type': 'string'},
    {'name': 'transaction_index', 'type': 'bigint'}, {'name': 'is_transaction_end', 'type': 'boolean'},
    {'name': 'schema_id', 'type': 'string'}, {'name': 'row_key', 'type': 'string'},
    {'name': 'table_name', 'type': 'string'}, {'name': 'first_load_number', 'type': 'bigint'},
]) %}
{#- Of several deliveries of a change that tell its place differently the least one counts, whichever came first. -#}
{%- set telling %}
struct(
            position is null, position, committed_at is null, committed_at, snapshot_at is null, snapshot_at,
            transaction_index is null, transaction_index, transaction_id is null, transaction_id,
            is_transaction_end is null, is_transaction_end
        )
{%- endset %}

with elements as (
    select
        element_id,
        change_id,
        identity_hash,
        outcome,
        origin,
        {{ telling | trim }} as telling,
        schema_id,
        row_key,
        table_name,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        event_index
    from {{ ref('cdc_run_elements') }}
    where identity_hash is not null and outcome in ('change', 'pending')
),

last_finished as (
    select max(retried_load_number) as load_number from {{ ref('cdc_run_batches') }}
),

identities_told_twice as (
    select identity_hash
    from elements
    group by identity_hash
    having count(*) > 1
),

logged as (
    select
        changelog.identity_hash,
        changelog.change_id,
        {{ telling | trim }} as telling,
        changelog.schema_id,
        changelog.row_key,
        changelog.table_name,
        coalesce(changelog.first_load_number <= last_finished.load_number, false) as is_of_earlier_load
    from {{ changelog }} as changelog
    left semi join elements on changelog.identity_hash = elements.identity_hash
    cross join last_finished
),

suspects as (
    select elements.*
    from elements
    left semi join identities_told_twice on elements.identity_hash = identities_told_twice.identity_hash
    union
    select elements.*
    from elements
    left semi join logged on elements.identity_hash = logged.identity_hash
),

deliveries_in_order as (
    select
        *,
        row_number() over (
            partition by change_id, outcome, origin = 'again'
            order by
                telling asc, origin desc, landing_batch asc nulls last, topic asc nulls last,
                `partition` asc nulls last, `offset` asc nulls last, event_index asc nulls last, element_id asc
        ) as delivery_number,
        max(outcome = 'change') over (partition by identity_hash) as identity_is_known_in_run,
        min(change_id) over (partition by identity_hash)
        <> max(change_id) over (partition by identity_hash) as has_other_content_in_run,
        -- A column list that arrived late can make a logged change one that has to wait.
        max(origin = 'again' and outcome = 'pending') over (partition by identity_hash) as waits_again,
        max(origin = 'again' and outcome = 'pending') over (partition by change_id) as change_waits_again
    from suspects
),

compared as (
    select
        deliveries_in_order.element_id,
        deliveries_in_order.change_id,
        deliveries_in_order.outcome,
        deliveries_in_order.origin,
        deliveries_in_order.delivery_number,
        deliveries_in_order.identity_is_known_in_run,
        deliveries_in_order.has_other_content_in_run,
        deliveries_in_order.waits_again,
        max(logged.change_id = deliveries_in_order.change_id) as is_logged,
        max(logged.change_id <> deliveries_in_order.change_id) as is_logged_otherwise,
        max(
            logged.is_of_earlier_load and logged.change_id = deliveries_in_order.change_id
        ) as is_logged_by_earlier_load,
        max(logged.identity_hash is not null) as identity_is_logged,
        max(
            logged.change_id = deliveries_in_order.change_id
            and (
                deliveries_in_order.telling < logged.telling
                or deliveries_in_order.change_waits_again
                or (
                    deliveries_in_order.origin = 'again'
                    and not (
                        logged.schema_id <=> deliveries_in_order.schema_id
                        and logged.row_key <=> deliveries_in_order.row_key
                        and logged.table_name <=> deliveries_in_order.table_name
                    )
                )
            )
        ) as is_better_told
    from deliveries_in_order
    left join logged on deliveries_in_order.identity_hash = logged.identity_hash
    group by
        deliveries_in_order.element_id, deliveries_in_order.change_id, deliveries_in_order.outcome,
        deliveries_in_order.origin, deliveries_in_order.delivery_number,
        deliveries_in_order.identity_is_known_in_run, deliveries_in_order.has_other_content_in_run,
        deliveries_in_order.waits_again
),

-- A change that is read again gives way to a delivery of this run that tells it better, which is read in the same way.
compared_with_the_run as (
    select
        *,
        coalesce(
            max(origin <> 'again' and is_better_told and outcome = 'change') over (partition by change_id), false
        ) as is_told_better_by_delivery,
        max(outcome = 'change') over (partition by change_id) as is_change_in_run
    from compared
),

exceptions as (
    select
        element_id,
        change_id,
        case
            when outcome = 'pending' and origin = 'again' and is_logged and not is_change_in_run then 'withdraw'
            when outcome = 'pending' and (identity_is_known_in_run or (identity_is_logged and not waits_again))
                then 'duplicate'
            when outcome = 'pending' then 'as_it_is'
            when origin = 'again' and is_better_told and delivery_number = 1 and not is_told_better_by_delivery
                then 'replace'
            when origin = 'again' then 'none'
            when is_better_told and delivery_number = 1 then 'replace'
            when is_logged and (is_logged_by_earlier_load or delivery_number > 1) then 'duplicate'
            when is_logged then 'logged_by_failed_run'
            when delivery_number > 1 then 'duplicate'
            else 'append'
        end as placing,
        coalesce(is_logged_by_earlier_load, false) as is_logged_by_earlier_load,
        outcome = 'change' and coalesce(has_other_content_in_run or is_logged_otherwise, false) as is_conflicting
    from compared_with_the_run
)

select * from exceptions
