{%- set decoded = ['status', 'table_name', 'row_key', 'row_key_before', 'schema_id', 'reason'] %}
{%- set compared = ['change_id'] + decoded %}
{%- set decodes_again = cdc_run_facts().waiting_vendors %}
{%- set columns = ['change_id', 'identity_hash'] + decoded %}

{#- Of a message that was too large no event is known: what it holds has places of its own. #}
{%- set is_decoded_again = '(load_number, event_number) in (select new.stored_event.* from new_events as new) '
    ~ "and not coalesce(reason = 'TOO_LARGE', false)" %}

-- New events that another event may replace, or that may replace another one.
with new_events as (
    select
        struct(load_number, event_number) as event,
        case when stored_event is not null then struct(
            bigint(substring_index(stored_event, '/', 1)) as load_number,
            bigint(substring_index(stored_event, '/', -1)) as event_number
        ) end as stored_event,
        {{ columns | join(', ') }},
        {{ cdc_delivery_rank() }} as delivery_rank,
        {{ cdc_delivery() }} as delivery,
        {{ cdc_place() }} as place,
        true as is_new
    from {{ ref('int_new_events') }}
    {%- if cdc_is_first_load() %}
    -- Nothing is stored: what comes once needs no decision.
    where identity_hash in (select identity_hash from {{ ref('int_new_events') }} group by all having count(*) > 1)
    {%- else %}
    where identity_hash is not null or stored_event is not null
    {%- endif %}
),

-- Stored events, each at the place of its first delivery.
stored_events_in_place as (
    select
        events.* except (landing_batch, topic, `partition`, `offset`, event_index),
        if(first_delivery is null, events.landing_batch, first_delivery.landing_batch) as landing_batch,
        if(first_delivery is null, events.topic, first_delivery.topic) as topic,
        if(first_delivery is null, events.`partition`, first_delivery.`partition`) as `partition`,
        if(first_delivery is null, events.`offset`, first_delivery.`offset`) as `offset`,
        if(first_delivery is null, events.event_index, first_delivery.event_index) as event_index
    from {{ cdc_events_that_count(cdc_event_store()) }} as events
),

-- Stored changes that a new event claims to be, and stored events that are decoded again.
stored_events as (
    select
        struct(load_number, event_number) as event,
        cast(null as struct<load_number: bigint, event_number: bigint>) as stored_event,
        {{ columns | join(', ') }},
        {{ cdc_delivery_rank() }} as delivery_rank,
        {{ cdc_delivery() }} as delivery,
        {{ cdc_place() }} as place,
        false as is_new
    from stored_events_in_place
    where
        (status = 'change' and identity_hash in (select new_events.identity_hash from new_events))
        {{ 'or (' ~ is_decoded_again ~ ')' if decodes_again }}
),
{%- if decodes_again %}

decoded_again as (
    select
        new_events.event,
        new_events.stored_event,
        stored_events.place,
        struct(new_events.{{ compared | join(', new_events.') }})
        <=> struct(stored_events.{{ compared | join(', stored_events.') }}) as is_unchanged
    from new_events
    inner join stored_events on new_events.stored_event = stored_events.event
),

-- What is about to be replaced by its own decoding counts no more, and its decoding takes its place.
deliveries as (
    select
        new_events.* except (place, is_new),
        coalesce(decoded_again.place, new_events.place) as place,
        new_events.is_new,
        coalesce(decoded_again.is_unchanged, false) as is_unchanged
    from new_events
    left join decoded_again on new_events.event = decoded_again.event
    union all
    select
        stored_events.* except (place, is_new),
        stored_events.place,
        stored_events.is_new,
        false as is_unchanged
    from stored_events
    left anti join decoded_again
        on stored_events.event = decoded_again.stored_event and not decoded_again.is_unchanged
    where stored_events.status = 'change'
),
{%- else %}

deliveries as (
    select
        *,
        false as is_unchanged
    from new_events
    union all
    select
        *,
        false as is_unchanged
    from stored_events
),
{%- endif %}

-- Every delivery beside the others that claim to be the same change.
compared as (
    select
        *,
        count(*) over (partition by identity_hash) as delivery_count,
        coalesce(max(status = 'change' and not is_unchanged) over (partition by identity_hash, change_id), false)
            as is_change_known,
        min(if(status = 'change', change_id, null)) over (partition by identity_hash)
        <> max(if(status = 'change', change_id, null)) over (partition by identity_hash) as is_conflicting
    from deliveries
),

-- Of a change's deliveries the least counts: the least counters and times, and, wherever that one came from, the least
-- place in the transport. Equal changes have the same identity_hash, so that the rows lie beside each other already.
ranked as (
    select
        *,
        row_number() over (
            partition by identity_hash, change_id, status, is_unchanged, is_new
            order by delivery_rank asc, place asc, event asc
        ) as delivery_number,
        max(if(is_new, null, struct(event, delivery_rank, place.transport_order as transport_order))) over (
            partition by identity_hash, change_id
        ) as stored_change,
        min(struct(delivery_rank, delivery)) over (
            partition by identity_hash, change_id, status, is_unchanged
        ) as least_delivery,
        min(place) over (partition by identity_hash, change_id, status, is_unchanged) as least_place
    from compared
    where delivery_count > 1 or stored_event is not null
),

with_decision as (
    select
        *,
        status = 'change' and delivery_number = 1 and not is_unchanged and stored_change is not null
        and (
            least_delivery.delivery_rank < stored_change.delivery_rank
            or least_place.transport_order < stored_change.transport_order
        ) as is_better_delivery,
        case
            when status = 'change' and delivery_number > 1 then 'duplicate'
            when status = 'change' and not is_unchanged and stored_change is not null and not is_better_delivery
                then 'duplicate'
            when status = 'pending' and is_change_known then 'duplicate'
            else status
        end as decided_status
    from ranked
    where is_new
)

select
    event.event_number as event_number,
    decided_status as status,
    status = 'change' and is_conflicting as is_conflicting,
    not is_unchanged or decided_status <> status as is_kept,
    array_compact(array(stored_event, case when is_better_delivery then stored_change.event end)) as replaces,
    case
        when is_better_delivery then 'better delivery'
        when stored_event is not null then 'decoded again'
    end as replaced_because,
    case when decided_status = 'change' then least_delivery.delivery end as delivery,
    case when decided_status = 'change' then struct(
        least_place.landing_batch as landing_batch,
        least_place.topic as topic,
        least_place.`partition` as `partition`,
        least_place.`offset` as `offset`,
        least_place.event_index as event_index
    ) end as first_delivery
from with_decision
