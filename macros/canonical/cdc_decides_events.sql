{#- Whether a new event may be a further delivery of a known change, or is decoded again. Most loads hold no such event, and theirs are
    appended as they are. True where nothing is known (parsing, docs). -#}
{% macro cdc_decides_events() -%}
    {%- if not cdc_is_in_a_run() or not _cdc_exists('int_new_events') -%} {{ return(true) }} {%- endif -%}
    {%- set has_stored = _cdc_exists('int_events') and not cdc_is_rebuild() -%}
    {%- set query -%}
        select
            count(stored_event) > 0 or count(identity_hash) > count(distinct identity_hash)
            {%- if has_stored %}
            or (
                select count(*) > 0
                from {work}.int_events as stored
                left semi join {work}.int_new_events as new_events on stored.identity_hash = new_events.identity_hash
            )
            {%- endif %}
        from {work}.int_new_events
    {%- endset -%}
    {{ return(cdc_is_true(cdc_asked_once(query)[0])) }}
{%- endmacro %}
