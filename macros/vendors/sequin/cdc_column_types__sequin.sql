{#- Column types: what Sequin sends of each PostgreSQL type (value_caster of Sequin, FACTS §1.10). Messages name no types: `cdc table` tells them
    from the values, with the result in `type`. -#}
{% macro cdc_column_types__sequin() -%}
    {{ return([
        {
            'name': 'int2, int4, int8, oid',
            'type': 'bigint',
            'sent': '9223372036854775807',
            'becomes': '9223372036854775807',
        },
        {
            'name': 'float4, float8',
            'type': 'double',
            'sent': '1.5',
            'becomes': '1.5',
        },
        {
            'name': 'numeric',
            'type': 'decimal(38,3)',
            'sent': '"123.456"',
            'becomes': '123.456',
            'note': 'the scale is the largest that was seen',
        },
        {
            'name': 'money',
            'type': 'string',
            'sent': '"$1,000.00"',
            'becomes': '$1,000.00',
        },
        {
            'name': 'bool',
            'type': 'boolean',
            'sent': 'true',
            'becomes': 'true',
        },
        {
            'name': 'text, varchar, bpchar, enums, domains',
            'type': 'string',
            'sent': '"hello"',
            'becomes': 'hello',
        },
        {
            'name': 'date',
            'type': 'date',
            'sent': '"2025-06-11"',
            'becomes': '2025-06-11',
        },
        {
            'name': 'time, timetz',
            'type': 'string',
            'sent': '"10:30:00"',
            'becomes': '10:30:00',
        },
        {
            'name': 'timestamp',
            'type': 'timestamp',
            'sent': '"2025-06-11T01:19:22.402358"',
            'becomes': '2025-06-11 01:19:22.402358',
        },
        {
            'name': 'timestamptz',
            'type': 'timestamp',
            'sent': '"2025-06-11T01:19:22.402358Z"',
            'becomes': '2025-06-11 01:19:22.402358',
        },
        {
            'name': 'interval',
            'type': 'string',
            'sent': '{"months":1,"days":2,"microseconds":3}',
            'becomes': '{"months":1,"days":2,"microseconds":3}',
        },
        {
            'name': 'uuid',
            'type': 'string',
            'sent': '"550e8400-e29b-41d4-a716-446655440000"',
            'becomes': '550e8400-e29b-41d4-a716-446655440000',
        },
        {
            'name': 'json, jsonb',
            'type': 'string',
            'sent': '{"key":"value"}',
            'becomes': '{"key":"value"}',
        },
        {
            'name': 'bytea',
            'type': 'binary',
            'sql': 'try_to_binary(substr({value}, 3), \'hex\')',
            'sent': '"\\\\x48656c6c6f"',
            'becomes': 'Hello',
        },
        {
            'name': 'arrays of integers',
            'type': 'array<bigint>',
            'sent': '[1,null,3]',
            'becomes': '[1, null, 3]',
        },
        {
            'name': 'arrays of text',
            'type': 'array<string>',
            'sent': '["a",null]',
            'becomes': '[a, null]',
        },
        {
            'name': 'vector',
            'type': 'array<double>',
            'sent': '[0.1,0.25]',
            'becomes': '[0.1, 0.25]',
        },
        {
            'name': 'ranges, inet, point and other types',
            'type': 'string',
            'sent': '"[1,10)"',
            'becomes': '[1,10)',
        },
    ]) }}
{%- endmacro %}
