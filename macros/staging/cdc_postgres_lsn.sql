{#- A PostgreSQL LSN, `X/Y` or an integer as text, as 16 hexadecimal digits that sort as text; null for anything else. -#}
{% macro cdc_postgres_lsn(text) -%}
    case
        when {{ text }} rlike '^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$'
            then concat(
                lpad(upper(substring_index({{ text }}, '/', 1)), 8, '0'),
                lpad(upper(substring_index({{ text }}, '/', -1)), 8, '0')
            )
        when {{ text }} rlike '^[0-9]{1,19}$' then lpad(hex(try_cast({{ text }} as bigint)), 16, '0')
    end
{%- endmacro %}
