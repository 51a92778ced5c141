{#- What finds a large message in the raw table again: its size in bytes, and the SHA-256 of its body. -#}
{% macro cdc_large_message_metadata(body) -%}
    to_json(struct(octet_length({{ body }}) as bytes, sha2({{ body }}, 256) as sha256))
{%- endmacro %}
