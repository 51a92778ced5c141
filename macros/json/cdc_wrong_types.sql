{#- Names of the fields of an event whose JSON type is not the documented one, joined by commas; null where all are right.
    A field that is missing or null is right.
    document: SQL expression, VARIANT array with the event as its first item. types: {field: type}, a nested field with
    dots; the types: object, list, text, scalar (no object and no list), object or scalar. -#}
{% macro cdc_wrong_types(document, types) -%}
    nullif(concat_ws(
        ', '
        {%- for field, type in types.items() %}
        {%- set member = "try_variant_get(" ~ document ~ ", '$[0]." ~ field ~ "'" %},
        case
            when
                {%- if type in ('object', 'list') %}
                {{ member }}, '{{ 'struct<>' if type == 'object' else 'array<variant>' }}') is null
                and schema_of_variant({{ member }})) <> 'VOID'
                {%- elif type == 'text' %}
                schema_of_variant({{ member }})) not in ('STRING', 'VOID')
                {%- elif type == 'scalar' %}
                schema_of_variant({{ member }})) rlike '^(OBJECT|ARRAY)'
                {%- elif type == 'object or scalar' %}
                startswith(schema_of_variant({{ member }})), 'ARRAY')
                {%- else %}
                {{ exceptions.raise_compiler_error("cdc_wrong_types: '" ~ type ~ "' is no type of field " ~ field) }}
                {%- endif %}
                then '{{ field }}'
        end
        {%- endfor %}
    ), '')
{%- endmacro %}
