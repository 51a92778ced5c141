{#- What was found, for people, by reason code. -#}
{% macro qlik_reason_detail() -%}
    case reason
        when 'TOMBSTONE' then 'The value is null.'
        when 'NOT_JSON' then 'The body is not one whole JSON value.'
        when 'DUPLICATE_KEYS' then 'A key stands twice in the message, its headers or a row.'
        when 'NOT_A_CHANGE' then 'The body is no message of Qlik Replicate: it has no operation.'
        when 'WRONG_TYPE'
            then case
                when is_schema_message then 'The metadata message tells no usable list of columns.'
                when event_counter_sent is not null and try_cast(event_counter_sent as bigint) is null
                    then concat('transactionEventCounter is no number: ', event_counter_sent)
                when last_event_sent is not null and try_cast(last_event_sent as boolean) is null
                    then concat('transactionLastEvent is no boolean: ', last_event_sent)
                else 'The message, its headers, data or beforeData is no JSON object.'
            end
        when 'UNKNOWN_OPERATION' then concat('operation is ', operation_sent)
        when 'MISSING_IMAGE' then concat(operation_sent, ' without data.')
        when 'MISSING_KEY_IMAGE' then 'DELETE without data and without beforeData.'
        when 'BAD_POSITION'
            then concat('changeSequence is ', coalesce(change_sequence, 'missing'), ', not up to 35 digits.')
        when 'BAD_MASK'
            then concat(
                'No hexadecimal mask: changeMask ', coalesce(change_mask_sent, 'null'),
                ', columnMask ', coalesce(column_mask_sent, 'null')
            )
        when 'MISSING_TABLE'
            then case
                when is_schema_message then 'The metadata message names no table.'
                else 'No table in the message, no schema id, no injected column, and the topic is not schema.table.'
            end
        when 'NO_SCHEMA'
            then case
                when table_name is null then concat('No metadata message with schema id ', schema_id_sent, ' yet.')
                when column_names is not null
                    then concat(
                        'The masks (', coalesce(change_mask_sent, 'null'), ', ', coalesce(column_mask_sent, 'null'),
                        ') do not fit the ', column_count, ' columns known.'
                    )
                else concat(
                    'Columns are missing by the mask ', column_mask_sent,
                    ', and no metadata message or configuration tells which.'
                )
            end
    end
{%- endmacro %}
