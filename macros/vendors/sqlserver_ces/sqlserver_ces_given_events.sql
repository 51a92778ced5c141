{#- Events of a unit test as stg_sqlserver_ces__events gives whole messages; the caller gives number (the offset) and text. -#}
{% macro sqlserver_ces_given_events() -%}
    select
        'hub' as source, 1L as landing_batch, 'changes' as topic, 0 as `partition`, cast(number as bigint) as `offset`,
        cast(null as timestamp) as `timestamp`, cast(null as string) as `key`,
        cast(null as map<string,string>) as headers, 0 as event_index, cast(null as string) as stored_event,
        event, cast(null as string) as joined_event, from_json(event, 'map<string,string>') as envelope,
        from_json(event, 'map<string,string>')['data'] as data, 'none' as segment,
        cast(null as array<string>) as segment_ids
    from values {{ caller() }} as messages (number, event)
{%- endmacro %}
