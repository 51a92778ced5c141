{#- The fields of a message in any layout, a struct: top_fields (of the body), body_fields (of `message`, or of the body where
    nothing is wrapped) and header_fields, maps from names to texts, and is_schema_message. Each map is read out of the one
    before it, in one expression: a step for each would copy all rows, also those that were read already (docs/benchmarks.md).
    body: SQL expression of JSON text, its long numbers guarded. Null maps where the text is no object. -#}
{% macro qlik_fields(body) -%}
    transform(
        transform(
            array(from_json({{ body }}, 'map<string,string>')),
            top_fields -> struct(
                top_fields,
                case
                    when top_fields['message'] is not null then from_json(top_fields['message'], 'map<string,string>')
                    else top_fields
                end as body_fields
            )
        ),
        read -> struct(
            read.top_fields,
            read.body_fields,
            from_json(read.body_fields['headers'], 'map<string,string>') as header_fields,
            {{ qlik_is_schema_message('read.body_fields', 'read.top_fields') }} as is_schema_message
        )
    )[0]
{%- endmacro %}

{#- The same struct of a data message that was read already. -#}
{% macro qlik_no_fields() -%}
    named_struct(
        'top_fields', cast(null as map<string, string>),
        'body_fields', cast(null as map<string, string>),
        'header_fields', cast(null as map<string, string>),
        'is_schema_message', false
    )
{%- endmacro %}
