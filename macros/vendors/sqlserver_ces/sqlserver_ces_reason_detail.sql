{#- What was found where a message is no change, in words. Reads the columns of
    stg_sqlserver_ces__changes' CTE `judged`. -#}
{% macro sqlserver_ces_reason_detail() -%}
    case reason
        when 'NOT_JSON'
            then concat(
                case
                    when envelope is null then 'The message'
                    when eventrow is null then 'data'
                    else 'old or current'
                end,
                ' is not one JSON value: ',
                left(
                    case
                        when envelope is null then element
                        when eventrow is null then data
                        else concat(old_text, ' ', current_text)
                    end,
                    100
                )
            )
        when 'DUPLICATE_KEYS' then 'An object of the message holds a key twice.'
        when 'WRONG_TYPE'
            then concat('Not of the type it should have: ', left({{ sqlserver_ces_wrong_types() }}, 200))
        when 'NOT_A_CHANGE'
            then concat('No operation and no data. Found: ', array_join(map_keys(envelope), ', '))
        when 'UNKNOWN_OPERATION' then concat('operation is ', coalesce(operation_sent, 'missing'))
        when 'MISSING_TABLE' then 'eventsource.tbl is missing.'
        when 'MISSING_IMAGE'
            then case
                when data is null then 'data is missing.'
                when eventrow is null then 'eventrow is missing.'
                else concat('current of an ', operation_sent, ' is empty.')
            end
        when 'MISSING_KEY_IMAGE' then 'Neither old nor pkkey tells which row was deleted.'
        when 'BAD_POSITION'
            then concat(
                'logicalid is ', coalesce(logical_id_sent, 'missing'), ', transaction is ',
                coalesce(transaction_text, 'missing')
            )
        when 'BAD_TIME' then concat('time is ', time_sent)
        when 'MISSING_SEGMENT'
            then concat(
                'Segment ', coalesce(envelope['segmentindex'], envelope['splitindex']), ' of ', logical_id_sent,
                '; not all segments have landed.'
            )
    end
{%- endmacro %}
