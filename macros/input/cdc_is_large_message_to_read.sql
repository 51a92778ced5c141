{#- Whether a stored event is a message that was too large and that the setting allows now. -#}
{% macro cdc_is_large_message_to_read() -%}
    (reason = 'TOO_LARGE' and cast(get_json_object(metadata, '$.bytes') as bigint) <= {{ cdc_largest_message() }})
{%- endmacro %}
