{#- The vendors of which a stored message was too large before, and is not any more. -#}
{% macro cdc_vendors_with_large_messages() -%}
    {%- if not cdc_is_in_a_run() -%} {{ return(cdc_vendors() | map(attribute='name') | list) }} {%- endif -%}
    {%- if not _cdc_exists('int_events') -%} {{ return([]) }} {%- endif -%}
    {%- set query -%}
        select concat_ws(',', collect_set(vendor))
        from {{ cdc_events_that_count(cdc_event_store()) }} as events
        where status = 'rejected' and {{ cdc_is_large_message_to_read() }}
    {%- endset -%}
    {{ return((cdc_asked_once('vendors with large messages', query)[0] or '').split(',') | select | list) }}
{%- endmacro %}
