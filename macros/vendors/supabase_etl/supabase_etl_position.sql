{#- Where an event stands in the log, `commit_lsn/start_lsn/tx_ordinal`; null where one of the three cannot be read. -#}
{% macro supabase_etl_position(event) -%}
    concat(
        {{ cdc_postgres_lsn(event ~ '.commit_lsn') }}, '/', {{ cdc_postgres_lsn(event ~ '.start_lsn') }}, '/',
        case
            when {{ event }}.tx_ordinal is null then ''
            when {{ event }}.tx_ordinal rlike '^[0-9]{1,19}$' then lpad(hex(try_cast({{ event }}.tx_ordinal as bigint)), 16, '0')
        end
    )
{%- endmacro %}
