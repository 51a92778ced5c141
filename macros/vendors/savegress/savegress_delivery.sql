{#- What names a delivery whose signature is looked at: its source and the hash of its body. Null for any other message: one of Kafka, or
    an event that was stored before. -#}
{% macro savegress_delivery(source, value, headers, event_index) -%}
    case
        when
            {{ event_index }} is null
            and (
                {{ source }} in ({{ cdc_sql_list(var('cdc_savegress_signed_sources', [])) }})
                or exists(map_keys({{ headers }}), name -> lower(trim(name)) like 'x-savegress-%')
            )
            then concat({{ source }}, '/', sha2({{ value }}, 256))
    end
{%- endmacro %}
