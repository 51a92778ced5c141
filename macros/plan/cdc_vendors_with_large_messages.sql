{#- The vendors of which a stored message was too large before, and is not any more. -#}
{% macro cdc_vendors_with_large_messages() -%}
    {%- if not cdc_is_in_a_run() -%} {{ return(cdc_vendors() | map(attribute='name') | list) }} {%- endif -%}
    {%- if not cdc_working_table_exists('int_events') -%} {{ return([]) }} {%- endif -%}
    {%- set query -%}
        select concat_ws(',', collect_set(vendor)) as vendors
        from {{ cdc_effective_events(cdc_stored_events()) }} as events
        where status = 'rejected' and {{ cdc_is_large_message_to_read() }}
    {%- endset -%}
    {%- set found = cdc_cached_query('vendors with large messages', query) -%}
    {{ return((found['vendors'] or '').split(',') | select | list) }}
{%- endmacro %}
