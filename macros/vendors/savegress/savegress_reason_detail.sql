{#- What was found where an element is no change, in words.
    Reads the columns of stg_savegress__changes. -#}
{% macro savegress_reason_detail() -%}
    case reason
        when 'TOMBSTONE' then 'The message has no value.'
        when 'EMPTY_ENVELOPE' then 'The list of events is empty.'
        when 'BAD_SIGNATURE' then 'X-Savegress-Signature is not that of this body under our secret.'
        when 'NOT_JSON' then 'The text is not one JSON value.'
        when 'NOT_A_CHANGE' then 'No event: no object with an operation.'
        when 'DUPLICATE_KEYS'
            then 'A key stands twice in the envelope, the event or one of its objects.'
        when 'UNKNOWN_OPERATION'
            then concat(
                'operation: ', coalesce(event.operation, event.`type`, header.operation, 'none')
            )
        when 'WRONG_TYPE' then 'A field has a JSON type that it cannot have.'
        when 'MISSING_TABLE' then concat(operation, ' without a table')
        when 'MISSING_IMAGE' then concat(operation, ' without an after image')
        when 'MISSING_KEY_IMAGE' then 'A delete without a before image and without a Kafka key.'
        when 'BAD_TIME' then concat('timestamp: ', time_sent)
        when 'BAD_POSITION' then concat('position: ', position_sent)
        when 'NO_POSITION_NO_TIME' then 'Neither a position nor a timestamp says where it belongs.'
    end
{%- endmacro %}
