{#- A timestamp out of microseconds since 2000-01-01 UTC, as PostgreSQL's replication protocol counts; null outside years 1 to 9999. -#}
{% macro cdc_postgres_time(text) -%}
    case
        when
            {{ text }} rlike '^-?[0-9]{1,18}$'
            and try_cast({{ text }} as bigint) between -63082281600000000 and 252455615999999999
            then timestamp_micros(try_cast({{ text }} as bigint) + 946684800000000)
    end
{%- endmacro %}
