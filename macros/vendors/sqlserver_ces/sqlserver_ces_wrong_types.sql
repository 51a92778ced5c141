{#- The fields of a message that are not of the type they should have, in words; empty text where all are. Reads the
    columns of stg_sqlserver_ces__changes' CTE `typed`. -#}
{% macro sqlserver_ces_wrong_types() -%}
    concat_ws(
        ', ',
        case when envelope is null then 'the message is no object' end,
        case
            when
                envelope['finalsegment'] is not null
                and (
                    try_cast(envelope['finalsegment'] as boolean) is null
                    or coalesce(try_cast(envelope['segmentindex'] as int) < 0, true)
                )
                then 'segmentindex, finalsegment'
        end,
        case
            when
                envelope['splittotalcnt'] is not null
                and (
                    coalesce(try_cast(envelope['splittotalcnt'] as int) < 0, true)
                    or coalesce(try_cast(envelope['splitindex'] as int) < 0, true)
                )
                then 'splitindex, splittotalcnt'
        end,
        case when data is not null and data_fields is null then 'data' end,
        case when map_contains_key(data_fields, 'eventsource') and eventsource is null then 'eventsource' end,
        case when map_contains_key(data_fields, 'eventrow') and eventrow is null then 'eventrow' end,
        case when eventsource['cols'] is not null and listed_columns is null then 'cols' end,
        case when eventsource['pkkey'] is not null and key_columns_told is null then 'pkkey' end,
        case when transaction_text is not null and transaction is null then 'transaction' end,
        case when eventrow is not null and images is null then 'old, current' end
    )
{%- endmacro %}
