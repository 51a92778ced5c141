{#- The columns that a schema message (type MD) lists, by their ordinals; null where they are no list that masks can speak of: empty, an
    ordinal missing, twice, below 1 or above 16,384. Source: "Metadata and data messages" of the vendor. -#}
{% macro qlik_schema_columns(table_columns) -%}
    get(
        filter(
            array(array_sort(transform(
                map_entries(from_json(
                    {{ table_columns }},
                    'map<string, struct<ordinal: string, type: string, length: string, precision: string, scale: string,
                        primaryKeyPosition: string, nullable: string>>'
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
            ))),
            columns -> size(columns) > 0
                and size(array_distinct(columns.ordinal)) = size(columns)
                and array_min(columns.ordinal) >= 1
                and array_max(columns.ordinal) <= 16384
                and forall(columns, column -> column.ordinal is not null)
        ),
        0
    )
{%- endmacro %}
