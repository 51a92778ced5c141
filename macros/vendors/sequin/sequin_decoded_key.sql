{#- The text that is written in an event's idempotency_key, base64. -#}
{% macro sequin_decoded_key() -%}
    cast(try_to_binary(metadata_fields['idempotency_key'], 'base64') as string)
{%- endmacro %}

{#- The pattern of `<commit_lsn>:<commit_idx>`, ready to stand in a SQL text. -#}
{% macro sequin_key_pattern() -%}
^([0-9]{1,20}):([0-9]{1,20})$
{%- endmacro %}
