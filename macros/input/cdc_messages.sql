{#- What this run decodes of one vendor: new raw messages and stored events. A unit test brings its own messages. -#}
{% macro cdc_messages(vendor) -%}
    (
        select * from {{ cdc_new_messages(vendor) }} as new_messages
        {%- if not cdc_is_unit_test() %}
        union all
        select * from {{ cdc_messages_to_decode(vendor) }} as stored_messages
        {%- endif %}
    )
{%- endmacro %}
