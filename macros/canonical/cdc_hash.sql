{#- 128 bits of SHA-256 over texts, as 32 hexadecimal digits. A JSON list says where each text ends; a long one may stand behind it. -#}
{% macro cdc_hash(parts, last_part="''") -%}
    left(sha2(concat(to_json(array({{ parts | join(', ') }})), {{ last_part }}), 256), 32)
{%- endmacro %}
