{#- A metadata message taken apart: lineage and columns.
    fields: map<string,string> of the message's own fields (what `message` holds, or the bare body).
    envelope: map<string,string> of the whole body. -#}
{% macro qlik_schema_message(fields, envelope) -%}
    {%- set lineage = "from_json(" ~ fields ~ "['lineage'], 'map<string,string>')" -%}
    {%- set columns_text = qlik_schema_columns_text(fields) -%}
    named_struct(
        'schema_id', nullif(coalesce({{ fields }}['schemaId'], {{ envelope }}['messageSchemaId']), ''),
        'schema_name', nullif(coalesce({{ lineage }}['schema'], {{ fields }}['schema']), ''),
        'table_name', nullif(coalesce({{ lineage }}['table'], {{ fields }}['table']), ''),
        'table_version', try_cast({{ lineage }}['tableVersion'] as bigint),
        'produced_at', {{ cdc_utc_timestamp(lineage ~ "['timestamp']") }},
        'lineage', {{ lineage }},
        'columns', array_sort(
            transform(
                map_entries(
                    from_json(
                        {{ columns_text }},
                        'map<string,struct<ordinal:string,type:string,length:string,precision:string,scale:string,'
                        || 'primaryKeyPosition:string,nullable:string>>'
                    )
                ),
                entry -> named_struct(
                    'ordinal', try_cast(entry.value.ordinal as int),
                    'name', entry.key,
                    'type', entry.value.type,
                    'key_position', nullif(try_cast(entry.value.primaryKeyPosition as int), 0),
                    'length', try_cast(entry.value.length as bigint),
                    'precision', try_cast(entry.value.precision as int),
                    'scale', try_cast(entry.value.scale as int),
                    'nullable', try_cast(entry.value.nullable as boolean)
                )
            )
        )
    )
{%- endmacro %}

{#- The JSON text of a metadata message's columns, null where there are none. -#}
{% macro qlik_schema_columns_text(fields) -%}
    coalesce(
        from_json({{ fields }}['tableStructure'], 'map<string,string>')['tableColumns'], {{ fields }}['tableColumns']
    )
{%- endmacro %}

{#- True where a body is a metadata message: by its envelope's type, or by what it holds. -#}
{% macro qlik_is_schema_message(fields, envelope) -%}
    coalesce(
        {{ envelope }}['type'] = 'MD'
        or {{ fields }}['tableStructure'] is not null
        or {{ fields }}['tableColumns'] is not null,
        false
    )
{%- endmacro %}

{#- The JSON objects of a metadata message in which no key may stand twice: a list of SQL expressions. -#}
{% macro qlik_schema_message_objects(fields) -%}
    {{ return([
        fields ~ "['lineage']",
        fields ~ "['tableStructure']",
        qlik_schema_columns_text(fields),
    ]) }}
{%- endmacro %}

{#- The reason why a metadata message cannot be used, null where it can.
    schema_message: what qlik_schema_message gave. -#}
{% macro qlik_schema_message_fault(schema_message) -%}
    case
        when {{ schema_message }}.table_name is null then 'MISSING_TABLE'
        when
            coalesce(size({{ schema_message }}.columns), 0) <= 0
            or exists(
                {{ schema_message }}.columns,
                column -> coalesce(column.ordinal < 1 or column.ordinal > 16384, true)
            )
            or size(array_distinct({{ schema_message }}.columns.ordinal)) < size({{ schema_message }}.columns)
            then 'WRONG_TYPE'
    end
{%- endmacro %}
