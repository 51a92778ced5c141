{#- A data message written again, without blanks, from what was read out of it, in the vendor's own layout. Where this gives
    the very text that arrived, the message holds nothing else: no further field, no key of the envelope twice, nothing
    after its end, no number that reading has bent.
    message: what qlik_envelope_type gave. Null where the message is of another layout. -#}
{% macro qlik_written_again(message) -%}
    {%- set optional_text = "coalesce(concat('\"', %s, '\"'), 'null')" -%}
    case
        when {{ message }}.message is not null
            then concat(
                '{"magic":"atMSG","type":"DT","headers":null,"messageSchemaId":',
                {{ optional_text % (message ~ '.messageSchemaId') }},
                ',"messageSchema":null,"message":',
                {{ _qlik_body_written_again(message ~ '.message') }},
                '}'
            )
        else {{ _qlik_body_written_again(message) }}
    end
{%- endmacro %}

{% macro _qlik_body_written_again(body) -%}
    {%- set optional_text = "coalesce(concat('\"', %s, '\"'), 'null')" -%}
    concat(
        '{"data":', coalesce({{ body }}.data, 'null'),
        ',"beforeData":', coalesce({{ body }}.beforeData, 'null'),
        ',"headers":{"operation":"', {{ body }}.headers.operation,
        '","changeSequence":"', {{ body }}.headers.changeSequence,
        '","timestamp":"', {{ body }}.headers.timestamp,
        '","streamPosition":"', {{ body }}.headers.streamPosition,
        '","transactionId":"', {{ body }}.headers.transactionId,
        '","changeMask":', {{ optional_text % (body ~ '.headers.changeMask') }},
        ',"columnMask":', {{ optional_text % (body ~ '.headers.columnMask') }},
        coalesce(concat(',"externalSchemaId":"', {{ body }}.headers.externalSchemaId, '"'), ''),
        ',"transactionEventCounter":', coalesce({{ body }}.headers.transactionEventCounter, 'null'),
        ',"transactionLastEvent":', coalesce({{ body }}.headers.transactionLastEvent, 'null'),
        '}}'
    )
{%- endmacro %}
