{#- Column types: the type tables of the event format page, for PostgreSQL and MySQL. Events name no types: `cdc table` tells them from
    the values, with the result in `type`. -#}
{% macro cdc_column_types__savegress() -%}
    {{ return([
        {
            'name': 'integer, bigint, INT, BIGINT',
            'type': 'bigint',
            'sent': '42',
            'becomes': '42',
        },
        {
            'name': 'numeric, decimal, DECIMAL',
            'type': 'decimal(38,3)',
            'sent': '"123.456"',
            'becomes': '123.456',
            'note': 'the scale is the largest that was seen',
        },
        {
            'name': 'boolean, TINYINT(1)',
            'type': 'boolean',
            'sent': 'true',
            'becomes': 'true',
        },
        {
            'name': 'text, varchar, VARCHAR, TEXT',
            'type': 'string',
            'sent': '"hello"',
            'becomes': 'hello',
        },
        {
            'name': 'timestamp, TIMESTAMP',
            'type': 'timestamp',
            'sent': '"2025-01-15T10:30:00Z"',
            'becomes': '2025-01-15 10:30:00',
        },
        {
            'name': 'timestamptz',
            'type': 'timestamp',
            'sent': '"2025-01-15T10:30:00+00:00"',
            'becomes': '2025-01-15 10:30:00',
        },
        {
            'name': 'DATETIME',
            'type': 'timestamp',
            'sent': '"2025-01-15 10:30:00"',
            'becomes': '2025-01-15 10:30:00',
        },
        {
            'name': 'date, DATE',
            'type': 'date',
            'sent': '"2025-01-15"',
            'becomes': '2025-01-15',
        },
        {
            'name': 'time, TIME',
            'type': 'string',
            'sent': '"10:30:00"',
            'becomes': '10:30:00',
        },
        {
            'name': 'uuid',
            'type': 'string',
            'sent': '"550e8400-e29b-41d4-a716-446655440000"',
            'becomes': '550e8400-e29b-41d4-a716-446655440000',
        },
        {
            'name': 'json, jsonb, JSON',
            'type': 'string',
            'sent': '{"key":"value"}',
            'becomes': '{"key":"value"}',
        },
        {
            'name': 'bytea, BLOB',
            'type': 'string',
            'sent': '"SGVsbG8gV29ybGQ="',
            'becomes': 'SGVsbG8gV29ybGQ=',
            'note': 'base64, which looks like any text: try_to_binary(…, \'base64\')',
        },
        {
            'name': 'array',
            'type': 'array<bigint>',
            'sent': '[1,2,3]',
            'becomes': '[1, 2, 3]',
        },
        {
            'name': 'inet, ENUM',
            'type': 'string',
            'sent': '"192.168.1.1"',
            'becomes': '192.168.1.1',
        },
        {
            'name': 'point',
            'type': 'string',
            'sent': '{"x":1.0,"y":2.0}',
            'becomes': '{"x":1.0,"y":2.0}',
        },
        {
            'name': 'SET',
            'type': 'array<string>',
            'sent': '["a","b"]',
            'becomes': '[a, b]',
        },
    ]) }}
{%- endmacro %}
