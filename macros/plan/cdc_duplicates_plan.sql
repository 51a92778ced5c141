{#- How many new events need a decision (further deliveries of known changes, stored events that were decoded again), and
    whether one of them may take the columns of a stored event: only where it lies before it in the transport. An event
    that was decoded again has the place of the one that it replaces, which is not looked up here: it may, where it is of
    a change that yet another event is stored of. -#}
{% macro cdc_duplicates_plan() -%}
    {%- if not cdc_is_in_a_run() or not cdc_working_table_exists('int_new_events') -%}
        {{ return({'decision_count': none, 'takes_stored_columns': true}) }}
    {%- endif -%}
    {%- set query -%}
        with new_events as (
            select
                identity_hash,
                redecoded_event_id,
                {{ cdc_transport_order() }} as transport_order
            from {work}.int_new_events
        ),

        {% if not cdc_is_first_load() -%}
        stored_events as (
            select
                identity_hash,
                status,
                concat(load_number, '/', event_number) as event_id,
                {{ cdc_transport_order() }} as transport_order,
                first_delivery,
                {{ cdc_transport_order('first_delivery') }} as first_transport_order
            from {work}.int_events
        ),

        {% endif -%}
        known_changes as (
            {%- if cdc_is_first_load() %}
            select
                0 as delivery_count,
                false as is_moved
            {%- else %}
            select
                count(*) as delivery_count,
                coalesce(max(
                    case
                        when stored_events.status <> 'change'
                            then false
                        when new_events.redecoded_event_id is not null
                            then new_events.redecoded_event_id <> stored_events.event_id
                        when stored_events.first_delivery is null
                            then new_events.transport_order < stored_events.transport_order
                        else new_events.transport_order < stored_events.first_transport_order
                    end
                ), false) as is_moved
            from stored_events
            inner join new_events on stored_events.identity_hash = new_events.identity_hash
            {%- endif %}
        )

        select
            count(redecoded_event_id) + count(identity_hash) - count(distinct identity_hash)
            + (select delivery_count from known_changes) as decision_count,
            (select is_moved from known_changes) as takes_stored_columns
        from new_events
    {%- endset -%}
    {%- set found = cdc_cached_query('duplicates plan', query) -%}
    {{ return({
        'decision_count': found['decision_count'] | int,
        'takes_stored_columns': cdc_is_true(found['takes_stored_columns']),
    }) }}
{%- endmacro %}
