{#- The event store as an earlier run left it, for models that stand before it (a `ref` would be a cycle). -#}
{% macro cdc_event_store() -%}
    {{ cdc_earlier('int_events', cdc_event_columns()) }}
{%- endmacro %}

{#- The events that count: those of a store that no later event of it replaces, and that are not among those left out besides. -#}
{% macro cdc_events_that_count(store, left_out='') -%}
    (
        select events.*
        from {{ store }} as events
        left anti join (
            select explode(replaces) as event from {{ store }}
            where replaced_because is not null
            {{ 'union all ' ~ left_out if left_out }}
        ) as left_out
            on events.load_number = left_out.event.load_number and events.event_number = left_out.event.event_number
    )
{%- endmacro %}

{#- The events that the marts are made of: those that count and that no line of `cdc_excluded_events` takes out. -#}
{% macro cdc_events_of_marts() -%}
    {%- set excluded -%}
        select struct(load_number, event_number) as event from {{ ref('int_excluded_events') }}
    {%- endset -%}
    {{ cdc_events_that_count(ref('int_events'), excluded) }}
{%- endmacro %}

{#- Of several deliveries of one change that differ in a counter or a time the least counts, whichever came first (S3). -#}
{% macro cdc_delivery_rank() -%}
    struct(
        position is null, position, committed_at is null, committed_at, snapshot_at is null, snapshot_at,
        transaction_index is null, transaction_index, transaction_id is null, transaction_id,
        is_transaction_end is null, is_transaction_end
    )
{%- endmacro %}
