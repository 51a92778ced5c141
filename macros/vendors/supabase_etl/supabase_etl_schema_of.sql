{#- What decoding needs of a column list, as a struct that sorts by position: position, schema_id, table_id, schema_name,
    table_name, columns, load_number; names; prefixes (each name as JSON text with a colon, to be put before a cell's text); key_columns in key order;
    is_stored_apart (which columns are of a type that PostgreSQL may store out of line and not send again).
    relation: alias of a relation with the columns of stg_supabase_etl__schemas. -#}
{% macro supabase_etl_schema_of(relation) -%}
    {%- set never_apart -%}
        'bool', 'char', 'int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'date', 'time', 'timetz', 'timestamp', 'timestamptz',
        'uuid', 'interval', 'money', 'boolean', 'smallint', 'integer', 'bigint', 'real', 'double precision',
        'timestamp without time zone', 'timestamp with time zone'
    {%- endset -%}
    named_struct(
        'position', {{ relation }}.position,
        'schema_id', {{ relation }}.schema_id,
        'table_id', {{ relation }}.table_id,
        'schema_name', {{ relation }}.schema_name,
        'table_name', {{ relation }}.table_name,
        'columns', {{ relation }}.columns,
        'load_number', {{ relation }}.load_number,
        'names', {{ relation }}.columns.name,
        'prefixes', transform(
            {{ relation }}.columns.name,
            name -> {{ supabase_etl_prefix('name') }}
        ),
        'key_columns', transform(
            array_sort(
                transform(
                    filter({{ relation }}.columns, column -> column.key_position is not null),
                    column -> named_struct(
                        'key_position', column.key_position, 'ordinal', column.ordinal, 'name', column.name
                    )
                )
            ),
            column -> column.name
        ),
        'is_stored_apart', transform(
            {{ relation }}.columns,
            column -> not coalesce(lower(column.type) in ({{ never_apart }}), false)
        )
    )
{%- endmacro %}
