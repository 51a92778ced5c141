{#- What a metadata message (type MD) says of a table, a struct; columns is null unless masks can speak of them. -#}
{% macro qlik_schema_message(body, lineage, message_schema_id) -%}
    named_struct(
        'schema_id', nullif(coalesce({{ body }}['schemaId'], {{ message_schema_id }}), ''),
        'schema_name', nullif(coalesce({{ lineage }}['schema'], {{ body }}['schema']), ''),
        'table_name', nullif(coalesce({{ lineage }}['table'], {{ body }}['table']), ''),
        'table_version', try_cast({{ lineage }}['tableVersion'] as bigint),
        'produced_at', {{ cdc_utc_timestamp(lineage ~ "['timestamp']") }},
        'lineage', {{ lineage }},
        'columns', get(filter(array(array_sort(transform(
            map_entries(from_json(
                coalesce(get_json_object({{ body }}['tableStructure'], '$.tableColumns'), {{ body }}['tableColumns']),
                'map<string,struct<ordinal:string,type:string,length:string,precision:string,scale:string,'
                || 'primaryKeyPosition:string,nullable:string>>'
            )),
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
        ))), columns -> size(columns) > 0 and size(array_distinct(columns.ordinal)) = size(columns)
            and array_min(columns.ordinal) >= 1 and array_max(columns.ordinal) <= 16384
            and forall(columns, column -> column.ordinal is not null)
        ), 0)
    )
{%- endmacro %}
