{#- Names of the fields whose JSON type is not the documented one, joined by commas; null where all are right. -#}
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
