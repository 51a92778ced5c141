{#- JSON object text of the fields of a message that no column takes: those of its headers, of the message itself and of the
    envelope, each under the name of its place; null where there are none. -#}
{% macro qlik_further_fields() -%}
    {%- set header_names = [
        'operation', 'changeSequence', 'timestamp', 'streamPosition', 'transactionId', 'changeMask', 'columnMask',
        'externalSchemaId', 'transactionEventCounter', 'transactionLastEvent',
    ] -%}
    {%- set table_names = ['schema', 'schemaName', 'table', 'tableName'] -%}
    {%- set flat_names = [] -%}
    {%- for name in header_names -%}
        {%- do flat_names.extend([name, 'headers_' ~ name]) -%}
    {%- endfor -%}
    {%- set own_names = ['data', 'beforeData', 'headers'] + table_names + flat_names
        + ['schemaId', 'lineage', 'tableStructure', 'tableColumns'] -%}
    {%- set envelope_names = ['magic', 'type', 'messageSchemaId', 'message'] -%}
    {%- set places = [
        {'name': 'headers', 'text': "body_fields['headers']", 'fields': 'header_fields',
         'known': header_names + table_names},
        {'name': 'message', 'text': 'message_text',
         'fields': 'case when message_text is not null then body_fields end', 'known': own_names},
        {'name': 'envelope', 'text': 'body', 'fields': 'top_fields',
         'known': envelope_names, 'known_bare': envelope_names + own_names},
    ] -%}
    nullif(
        to_json(
            named_struct(
                {%- for place in places %}
                '{{ place.name }}', {{ _qlik_unknown_fields(place) }}
                {{- ',' if not loop.last }}
                {%- endfor %}
            )
        ),
        '{}'
    )
{%- endmacro %}

{% macro _qlik_unknown_fields(place) -%}
    {%- set known = "array('" ~ place.known | join("','") ~ "')" -%}
    {%- if place.known_bare -%}
        {%- set known = "case when message_text is null then array('" ~ place.known_bare | join("','")
            ~ "') else " ~ known ~ ' end' -%}
    {%- endif -%}
    transform(
        array({{ known }}),
        known -> case
            when
                exists(
                    map_entries({{ place.fields }}),
                    field -> field.value is not null and not array_contains(known, field.key)
                )
                then map_filter(
                    from_json({{ place.text }}, 'map<string,variant>'),
                    (name, field) -> not is_variant_null(field) and not array_contains(known, name)
                )
        end
    )[0]
{%- endmacro %}
