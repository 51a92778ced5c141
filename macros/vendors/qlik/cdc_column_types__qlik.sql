{#- Column types: the types of metadata messages (FACTS §5.10). -#}
{% macro cdc_column_types__qlik() -%}
    {{ return([
        {
            'name': 'BOOLEAN',
            'type': 'boolean',
            'sent': 'true',
            'becomes': 'true',
        },
        {
            'name': 'INT1',
            'type': 'smallint',
            'sent': '-7',
            'becomes': '-7',
        },
        {
            'name': 'INT2',
            'type': 'smallint',
            'sent': '-7',
            'becomes': '-7',
        },
        {
            'name': 'INT4',
            'type': 'int',
            'sent': '42',
            'becomes': '42',
        },
        {
            'name': 'INT8',
            'type': 'bigint',
            'sent': '9223372036854775807',
            'becomes': '9223372036854775807',
        },
        {
            'name': 'UINT1',
            'type': 'smallint',
            'sent': '255',
            'becomes': '255',
        },
        {
            'name': 'UINT2',
            'type': 'int',
            'sent': '65535',
            'becomes': '65535',
        },
        {
            'name': 'UINT4',
            'type': 'bigint',
            'sent': '4294967295',
            'becomes': '4294967295',
        },
        {
            'name': 'UINT8',
            'type': 'decimal(20,0)',
            'sent': '"18446744073709551615"',
            'becomes': '18446744073709551615',
        },
        {
            'name': 'REAL4',
            'type': 'float',
            'sent': '1.5',
            'becomes': '1.5',
        },
        {
            'name': 'REAL8',
            'type': 'double',
            'sent': '0.1',
            'becomes': '0.1',
        },
        {
            'name': 'NUMERIC',
            'type': 'decimal({precision},{scale})',
            'sent': '"123.456"',
            'becomes': '123.456000000000000000',
            'note': 'with the precision and scale of the message; without them decimal(38,18)',
        },
        {
            'name': 'STRING',
            'type': 'string',
            'sent': '"hello"',
            'becomes': 'hello',
        },
        {
            'name': 'WSTRING',
            'type': 'string',
            'sent': '"hello"',
            'becomes': 'hello',
        },
        {
            'name': 'CLOB',
            'type': 'string',
            'sent': '"hello"',
            'becomes': 'hello',
        },
        {
            'name': 'NCLOB',
            'type': 'string',
            'sent': '"hello"',
            'becomes': 'hello',
        },
        {
            'name': 'DATE',
            'type': 'date',
            'sent': '"2023-03-21"',
            'becomes': '2023-03-21',
        },
        {
            'name': 'TIME',
            'type': 'string',
            'sent': '"14:34:21"',
            'becomes': '14:34:21',
        },
        {
            'name': 'DATETIME',
            'type': 'timestamp',
            'sent': '"2023-03-21 14:34:21.000000"',
            'becomes': '2023-03-21 14:34:21',
        },
        {
            'name': 'BYTES',
            'type': 'binary',
            'sql': 'try_to_binary({value}, \'hex\')',
            'sent': '"48656C6C6F"',
            'becomes': 'Hello',
        },
        {
            'name': 'BLOB',
            'type': 'binary',
            'sql': 'try_to_binary({value}, \'hex\')',
            'sent': '"48656C6C6F"',
            'becomes': 'Hello',
        },
    ]) }}
{%- endmacro %}
