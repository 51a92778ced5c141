{#- The text that is written in an event's idempotency_key, base64. -#}
{% macro sequin_decoded_key() -%}
    cast(try_to_binary(metadata_fields['idempotency_key'], 'base64') as string)
{%- endmacro %}
