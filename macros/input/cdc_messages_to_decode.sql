{#- The stored events of one vendor that this run decodes again. -#}
{% macro cdc_messages_to_decode(vendor) -%}
    (
        select * except (vendor) from {{ ref('stg_events_to_decode') }}
        where vendor = '{{ vendor }}'
    )
{%- endmacro %}
