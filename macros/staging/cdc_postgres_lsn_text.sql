{#- An LSN of 16 hexadecimal digits as PostgreSQL writes it: 00000000016B3748 → 0/16B3748. -#}
{% macro cdc_postgres_lsn_text(lsn) -%}
    concat(conv(left({{ lsn }}, 8), 16, 16), '/', conv(right({{ lsn }}, 8), 16, 16))
{%- endmacro %}
