{#- An LSN of 16 hexadecimal digits as PostgreSQL writes it: 00000000016B3748 → 0/16B3748. Null for null.
    lsn: SQL expression. -#}
{% macro supabase_etl_lsn_text(lsn) -%}
    concat(
        regexp_replace(left({{ lsn }}, 8), '^0{1,7}', ''), '/', regexp_replace(right({{ lsn }}, 8), '^0{1,7}', '')
    )
{%- endmacro %}
