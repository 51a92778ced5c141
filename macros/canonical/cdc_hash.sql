{#- 128 bits of SHA-256 over texts, as 32 hexadecimal digits; null and empty text are kept apart. -#}
{% macro cdc_hash(parts) -%}
    left(
        sha2(
            concat_ws(
                '\u0001',
                {%- for part in parts %}
                coalesce({{ part }}, '\u0002'){{ ',' if not loop.last }}
                {%- endfor %}
            ),
            256
        ),
        32
    )
{%- endmacro %}
