{#- Where an event stands in the log, `commit_lsn/start_lsn/tx_ordinal`; null where one of the three cannot be read. -#}
{% macro supabase_etl_position(commit_lsn, start_lsn, tx_ordinal) -%}
    concat(
        {{ cdc_postgres_lsn(commit_lsn) }},
        '/',
        {{ cdc_postgres_lsn(start_lsn) }},
        '/',
        case
            when {{ tx_ordinal }} is null then ''
            when {{ tx_ordinal }} rlike '^[0-9]{1,19}$' then lpad(hex(try_cast({{ tx_ordinal }} as bigint)), 16, '0')
        end
    )
{%- endmacro %}
