{%- set decodes_again = cdc_load_plan().waiting_vendors %}
{%- set is_decoded_again = '(load_number, event_number) in (select new.replaced_event_id.* from new_events as new) '
    ~ "and not coalesce(reason = 'TOO_LARGE', false)" %}

-- New events that another event may replace, or that may replace another one.
with new_events as (
    select
        struct(load_number, event_number) as event_id,
        case
            when redecoded_event_id is not null
                then struct(
                    bigint(substring_index(redecoded_event_id, '/', 1)) as load_number,
                    bigint(substring_index(redecoded_event_id, '/', -1)) as event_number
                )
        end as replaced_event_id,
        change_id,
        identity_hash,
        status,
        table_name,
        row_key,
        row_key_before,
        schema_id,
        reason,
        {{ cdc_delivery_rank() }} as delivery_rank,
        struct(landing_batch, topic, `partition`, `offset`, event_index) as own_delivery,
        {{ cdc_delivery_place('own_delivery') }} as delivery_place,
        delivery_place as deciding_place,
        true as is_new
    from {{ ref('int_new_events') }}
    {%- if cdc_is_first_load() %}
    -- First load: only identities that occur more than once need a decision.
    where identity_hash in (select identity_hash from {{ ref('int_new_events') }} group by all having count(*) > 1)
    {%- else %}
    where identity_hash is not null or redecoded_event_id is not null
    {%- endif %}
),

-- Stored events with the places of their first delivery and of the one that their columns were read from.
stored_events_in_place as (
    select
        *,
        struct(landing_batch, topic, `partition`, `offset`, event_index) as own_delivery,
        coalesce(first_delivery, own_delivery) as least_delivery,
        coalesce(deciding_delivery, own_delivery) as delivery_of_columns,
        {{ cdc_delivery_place('least_delivery') }} as delivery_place,
        {{ cdc_delivery_place('delivery_of_columns') }} as deciding_place
    from {{ cdc_effective_events(cdc_stored_events()) }} as events
),

-- Stored changes that a new event claims to be, and stored events that are decoded again. Of a message that was too
-- large no event is known: what it holds has places of its own.
stored_events as (
    select
        struct(load_number, event_number) as event_id,
        cast(null as struct<load_number: bigint, event_number: bigint>) as replaced_event_id,
        change_id,
        identity_hash,
        status,
        table_name,
        row_key,
        row_key_before,
        schema_id,
        reason,
        {{ cdc_delivery_rank() }} as delivery_rank,
        own_delivery,
        delivery_place,
        deciding_place,
        false as is_new
    from stored_events_in_place
    where
        (status = 'change' and identity_hash in (select new_events.identity_hash from new_events))
        {{ 'or (' ~ is_decoded_again ~ ')' if decodes_again }}
),
{%- if decodes_again %}

-- Every stored event that a new event is the second decoding of, with the place that it had, and whether that changed
-- anything.
decoded_again as (
    select
        new_events.event_id,
        new_events.replaced_event_id,
        stored_events.delivery_place,
        stored_events.deciding_place,
        (
            struct(
                new_events.change_id,
                new_events.status,
                new_events.table_name,
                new_events.row_key,
                new_events.row_key_before,
                new_events.schema_id,
                new_events.reason
            )
            <=> struct(
                stored_events.change_id,
                stored_events.status,
                stored_events.table_name,
                stored_events.row_key,
                stored_events.row_key_before,
                stored_events.schema_id,
                stored_events.reason
            )
        ) as is_unchanged
    from new_events
    inner join stored_events on new_events.replaced_event_id = stored_events.event_id
),

-- All deliveries, without the stored events that their re-decoded version replaces; that version takes their place.
deliveries as (
    select
        new_events.* except (delivery_place, deciding_place, is_new),
        coalesce(decoded_again.delivery_place, new_events.delivery_place) as delivery_place,
        coalesce(decoded_again.deciding_place, new_events.deciding_place) as deciding_place,
        new_events.is_new,
        coalesce(decoded_again.is_unchanged, false) as is_unchanged
    from new_events
    left join decoded_again on new_events.event_id = decoded_again.event_id
    union all
    select
        stored_events.* except (delivery_place, deciding_place, is_new),
        stored_events.delivery_place,
        stored_events.deciding_place,
        stored_events.is_new,
        false as is_unchanged
    from stored_events
    left anti join decoded_again
        on stored_events.event_id = decoded_again.replaced_event_id and not decoded_again.is_unchanged
    where stored_events.status = 'change'
),
{%- else %}

-- Every new event that may need a decision, and every stored change that it is compared with.
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

-- Of a change's deliveries the one with the least counters and times gives the columns, of equal ones the one at the
-- least place in the transport. The change lies at the least place of all. Equal changes have the same identity_hash,
-- so that the rows lie beside each other already.
ranked as (
    select
        *,
        row_number() over (
            partition by identity_hash, change_id, status, is_unchanged, is_new
            order by delivery_rank asc, deciding_place asc, event_id asc
        ) as delivery_number,
        max(if(
            is_new,
            null,
            struct(
                event_id,
                delivery_rank,
                deciding_place.transport_order as deciding_order,
                delivery_place.transport_order as transport_order
            )
        )) over (partition by identity_hash, change_id) as stored_change,
        min(struct(delivery_rank, deciding_place, event_id)) over (
            partition by identity_hash, change_id, status, is_unchanged
        ) as deciding,
        min(delivery_place) over (partition by identity_hash, change_id, status, is_unchanged) as least_place
    from compared
    where delivery_count > 1 or replaced_event_id is not null
),

-- Every new event of those, with its decision.
with_decision as (
    select
        *,
        (status = 'change' and delivery_number > 1) or (status = 'pending' and is_change_known) as is_further_delivery,
        status = 'change' and delivery_number = 1 and not is_unchanged and stored_change is not null
        and (
            struct(deciding.delivery_rank, deciding.deciding_place.transport_order)
            < struct(stored_change.delivery_rank, stored_change.deciding_order)
            or least_place.transport_order < stored_change.transport_order
        ) as is_better_delivery,
        case
            when is_further_delivery then 'duplicate'
            when status = 'change' and not is_unchanged and stored_change is not null and not is_better_delivery
                then 'duplicate'
            else status
        end as decided_status
    from ranked
    where is_new
)

select
    event_id.event_number as event_number,
    decided_status as status,
    status = 'change' and is_conflicting as is_conflicting,
    not is_unchanged or is_further_delivery as is_kept,
    array_compact(array(replaced_event_id, case when is_better_delivery then stored_change.event_id end)) as replaces,
    case
        when is_better_delivery then 'better delivery'
        when replaced_event_id is not null then 'decoded again'
    end as replaced_because,
    -- The stored delivery that gives the columns, where a new one gives no more than a lesser place.
    case
        when decided_status = 'change' and deciding.event_id = stored_change.event_id then deciding.event_id
    end as deciding_event_id,
    case when decided_status = 'change' then deciding.deciding_place.delivery end as deciding_delivery,
    case when decided_status = 'change' then least_place.delivery end as first_delivery
from with_decision
