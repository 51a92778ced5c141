{#- An LSN of 16 hexadecimal digits as PostgreSQL writes it: 00000000016B3748 → 0/16B3748.
    lsn: SQL expression. -#}
{% macro supabase_etl_lsn_text(lsn) -%}
    concat(
        coalesce(nullif(trim(leading '0' from left({{ lsn }}, 8)), ''), '0'),
        '/',
        coalesce(nullif(trim(leading '0' from right({{ lsn }}, 8)), ''), '0')
    )
{%- endmacro %}
