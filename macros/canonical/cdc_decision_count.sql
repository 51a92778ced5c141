{#- How many new events need a decision: further deliveries of known changes, or stored events that were decoded again. -#}
{% macro cdc_decision_count() -%}
    {%- if not cdc_is_in_a_run() or not _cdc_exists('int_new_events') -%} {{ return(none) }} {%- endif -%}
    {%- set query -%}
        select
            count(stored_event) + count(identity_hash) - count(distinct identity_hash)
            {%- if not cdc_is_first_load() %}
            + (
                select count(*) from {work}.int_events as stored
                left semi join {work}.int_new_events as new_events on stored.identity_hash = new_events.identity_hash
            )
            {%- endif %}
        from {work}.int_new_events
    {%- endset -%}
    {{ return(cdc_asked_once(query)[0] | int) }}
{%- endmacro %}

{#- Whether nothing is stored before this load: the first one, or a rebuild. -#}
{% macro cdc_is_first_load() -%}
    {{ return(cdc_is_rebuild() or (cdc_is_in_a_run() and not _cdc_exists('int_events'))) }}
{%- endmacro %}
