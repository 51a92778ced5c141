{{ config(materialized='cdc_table', cdc_write='append', full_refresh=false) }}
{%- set event = [
    'vendor', 'source', 'landing_batch', 'topic', '`partition`', '`offset`', 'event_index', 'position', 'message_id',
] %}

with exceptions as (
    select
        element_id,
        placing,
        is_logged_by_earlier_load
    from {{ ref('cdc_run_exceptions') }}
),

this_run as (
    select max(load_number) as load_number from {{ ref('cdc_run_batches') }}
),

-- One event that truncates several tables is an element of each; its message counts once. Transports without offsets
-- tell two messages apart by their positions, and two deliveries of one by their number.
truncates as (
    select
        element_id,
        {{ event | join(', ') }},
        row_number() over (
            partition by {{ event | join(', ') }}, identity_hash
            order by element_id asc
        ) as delivery_number
    from {{ ref('cdc_run_elements') }}
    where operation = 'truncate' and origin = 'new'
),

truncates_of_an_event as (
    select
        element_id,
        row_number() over (
            partition by {{ event | join(', ') }}, delivery_number
            order by element_id asc
        ) as element_number
    from truncates
),

placed as (
    select
        elements.vendor,
        elements.source,
        elements.database_name,
        elements.schema_name,
        elements.table_name,
        elements.origin,
        elements.event_index,
        elements.outcome,
        coalesce(truncates_of_an_event.element_number, 1) = 1 as is_first_of_event,
        elements.origin = 'again' as is_withdrawn,
        coalesce(exceptions.placing, 'append') = 'duplicate'
        or (coalesce(exceptions.placing, 'append') = 'replace' and exceptions.is_logged_by_earlier_load) as is_duplicate
    from {{ ref('cdc_run_elements') }} as elements
    left join exceptions on elements.element_id = exceptions.element_id
    left join truncates_of_an_event on elements.element_id = truncates_of_an_event.element_id
    where elements.origin <> 'again' or (exceptions.placing = 'withdraw' and exceptions.is_logged_by_earlier_load)
),

counted as (
    select
        placed.vendor,
        placed.source,
        placed.database_name,
        placed.schema_name,
        placed.table_name,
        this_run.load_number,
        count_if(
            placed.origin = 'new' and coalesce(placed.event_index, 0) = 0 and placed.is_first_of_event
        ) as messages,
        count_if(placed.origin = 'new') as elements,
        count_if(placed.outcome = 'change' and not placed.is_duplicate) - count_if(placed.is_withdrawn) as changes,
        count_if(placed.outcome = 'part') as parts,
        count_if(placed.is_duplicate) as duplicates,
        count_if(placed.outcome = 'ignored') as ignored,
        count_if(placed.outcome = 'rejected') as rejected
    from placed
    cross join this_run
    group by
        placed.vendor, placed.source, placed.database_name, placed.schema_name, placed.table_name,
        this_run.load_number
)

select * from counted
