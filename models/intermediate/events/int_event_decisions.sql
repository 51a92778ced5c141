{%- set place = ['landing_batch', 'topic', '`partition`', '`offset`', 'event_index', 'table_index'] %}
{%- set decoded = ['status', 'table_name', 'row_key', 'row_key_before', 'schema_id', 'reason'] %}
{%- set decodes_again = cdc_run_facts().waiting_vendors %}
{%- set columns = ['change_id', 'identity_hash'] + place + decoded %}

with new_events as (
    select
        struct(load_number, event_number) as event,
        case when stored_event is not null then struct(
            bigint(substring_index(stored_event, '/', 1)) as load_number,
            bigint(substring_index(stored_event, '/', -1)) as event_number
        ) end as stored_event,
        {{ columns | join(', ') }},
        {{ cdc_delivery_rank() }} as delivery_rank,
        true as is_new
    from {{ ref('int_new_events') }}
    {%- if cdc_is_first_load() %}
    -- Nothing is stored: what comes once needs no decision.
    where identity_hash in (select identity_hash from {{ ref('int_new_events') }} group by all having count(*) > 1)
    {%- else %}
    where identity_hash is not null or stored_event is not null
    {%- endif %}
),

-- Stored changes that a new event claims to be, and stored events that are decoded again.
stored_events as (
    select
        struct(load_number, event_number) as event,
        cast(null as struct<load_number: bigint, event_number: bigint>) as stored_event,
        {{ columns | join(', ') }},
        {{ cdc_delivery_rank() }} as delivery_rank,
        false as is_new
    from {{ cdc_events_that_count(cdc_event_store()) }} as events_that_count
    where
        (status = 'change' and identity_hash in (select new_events.identity_hash from new_events))
        {{ 'or (load_number, event_number) in (select new.stored_event.* from new_events as new)' if decodes_again }}
),
{%- if decodes_again %}

decoded_again as (
    select
        new_events.event,
        new_events.stored_event,
        struct(new_events.{{ decoded | join(', new_events.') }})
        <=> struct(stored_events.{{ decoded | join(', stored_events.') }}) as is_unchanged
    from new_events
    inner join stored_events on new_events.stored_event = stored_events.event
),

-- What is about to be replaced by its own decoding counts no more.
deliveries as (
    select
        new_events.*,
        coalesce(decoded_again.is_unchanged, false) as is_unchanged
    from new_events
    left join decoded_again on new_events.event = decoded_again.event
    union all
    select
        stored_events.*,
        false as is_unchanged
    from stored_events
    left anti join decoded_again
        on stored_events.event = decoded_again.stored_event and not decoded_again.is_unchanged
    where stored_events.status = 'change'
),
{%- else %}

deliveries as (
    select *, false as is_unchanged from new_events
    union all
    select *, false as is_unchanged from stored_events
),
{%- endif %}

compared as (
    select
        *,
        count(*) over (partition by identity_hash) as delivery_count,
        max(status = 'change' and not is_unchanged) over (partition by identity_hash) as is_known_change,
        min(change_id) over (partition by identity_hash)
        <> max(change_id) over (partition by identity_hash) as is_conflicting
    from deliveries
),

-- Equal changes have the same identity_hash, so that the rows lie beside each other already.
ranked as (
    select
        *,
        row_number() over (
            partition by identity_hash, change_id, status, is_unchanged
            order by
                delivery_rank asc, is_new asc, {{ place | join(' asc nulls last, ') }} asc nulls last, event asc
        ) as delivery_number,
        max(case when not is_new then event end) over (partition by identity_hash, change_id) as stored_change
    from compared
    where delivery_count > 1 or stored_event is not null
),

with_decision as (
    select
        *,
        case
            when status = 'change' and delivery_number > 1 then 'duplicate'
            when status = 'pending' and is_known_change then 'duplicate'
            else status
        end as decided_status,
        status = 'change' and delivery_number = 1 and not is_unchanged
        and stored_change is not null as is_better_delivery
    from ranked
    where is_new
)

select
    event.event_number as event_number,
    decided_status as status,
    status = 'change' and is_conflicting as is_conflicting,
    not is_unchanged or decided_status <> status as is_kept,
    array_compact(array(stored_event, case when is_better_delivery then stored_change end)) as replaces,
    case
        when is_better_delivery then 'better delivery'
        when stored_event is not null then 'decoded again'
    end as replaced_because
from with_decision
