{{ config(materialized='cdc_table', cdc_write='replace', full_refresh=false, cdc_outcome='pending') }}
{%- set columns = [
    {'name': 'vendor', 'type': 'string'}, {'name': 'source', 'type': 'string'},
    {'name': 'landing_batch', 'type': 'bigint'}, {'name': 'topic', 'type': 'string'},
    {'name': 'partition', 'type': 'int'}, {'name': 'offset', 'type': 'bigint'}, {'name': 'event_index', 'type': 'int'},
    {'name': 'reason', 'type': 'string'}, {'name': 'reason_detail', 'type': 'string'},
    {'name': 'value', 'type': 'string'}, {'name': 'key', 'type': 'string'},
    {'name': 'headers', 'type': 'map<string,string>'}, {'name': 'timestamp', 'type': 'timestamp'},
    {'name': 'database_name', 'type': 'string'}, {'name': 'schema_name', 'type': 'string'},
    {'name': 'table_name', 'type': 'string'}, {'name': 'load_number', 'type': 'bigint'},
] %}

-- What waits after this run, and what waited before it: until this run's load is finished the earlier list counts.
with duplicates as (
    -- A change that a failed run logged is in this run by itself, and withdrawn beside that.
    select element_id from {{ ref('cdc_run_exceptions') }}
    where placing = 'duplicate' or (placing = 'withdraw' and not is_logged_by_earlier_load)
),

this_run as (
    select
        max(load_number) as load_number,
        max(retried_load_number) as retried_load_number
    from {{ ref('cdc_run_batches') }}
),

waiting_now as (
    select
        elements.vendor,
        elements.source,
        elements.landing_batch,
        elements.topic,
        elements.`partition`,
        elements.`offset`,
        elements.event_index,
        elements.reason,
        elements.reason_detail,
        elements.element as value,
        elements.`key`,
        elements.headers,
        elements.`timestamp`,
        elements.database_name,
        elements.schema_name,
        elements.table_name,
        this_run.load_number
    from {{ ref('cdc_run_elements') }} as elements
    left anti join duplicates on elements.element_id = duplicates.element_id
    cross join this_run
    where elements.outcome = 'pending'
),

waiting_before as (
    select earlier.*
    from {{ cdc_earlier(this.schema, this.identifier, columns) }} as earlier
    left semi join this_run on earlier.load_number = this_run.retried_load_number
),

final as (
    select * from waiting_now
    union all
    select * from waiting_before
)

select * from final
