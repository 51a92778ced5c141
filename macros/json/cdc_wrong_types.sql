{#- Names of the fields of an event whose JSON type is not the documented one, joined by commas; null where all are right.
    A field that is missing or null is right.
    A list is read as array<struct<>>, which copies no item: one that is no object is null, and the list is there.
    document: SQL expression, VARIANT array with the event as its first item. types: {field: type}, a nested field with
    dots; the types: object, list, text, scalar (no object and no list), object or scalar. -#}
{% macro cdc_wrong_types(document, types) -%}
    nullif(concat_ws(
        ', '
        {%- for field, type in types.items() %}
        {%- set member = "try_variant_get(" ~ document ~ ", '$[0]." ~ field ~ "'" %}
        {%- set type_sent = 'schema_of_variant(' ~ member ~ '))' %}
        {%- set conditions = {
            'object': member ~ ", 'struct<>') is null and " ~ type_sent ~ " <> 'VOID'",
            'list': member ~ ", 'array<struct<>>') is null and " ~ type_sent ~ " <> 'VOID'",
            'text': type_sent ~ " not in ('STRING', 'VOID')",
            'scalar': type_sent ~ " rlike '^(OBJECT|ARRAY)'",
            'object or scalar': 'startswith(' ~ type_sent ~ ", 'ARRAY')",
        } %}
        {%- if type not in conditions -%}
            {{ exceptions.raise_compiler_error("cdc_wrong_types: '" ~ type ~ "' is no type of field " ~ field) }}
        {%- endif %},
        if({{ conditions[type] }}, '{{ field }}', null)
        {%- endfor %}
    ), '')
{%- endmacro %}
