{#- A counter as 16 hexadecimal digits that sort as text; null for anything else.
    text: SQL expression. -#}
{% macro supabase_etl_ordinal(text) -%}
    case when {{ text }} rlike '^[0-9]{1,19}$' then lpad(hex(try_cast({{ text }} as bigint)), 16, '0') end
{%- endmacro %}
