{#- One column of a row with a real type, null where the value is null, absent, or cannot be cast (cdc_cast_errors says which). -#}
{% macro cdc_typed_column(name, type, fields='fields') -%}
    {{ return(adapter.dispatch('cdc_typed_column', 'cdc_changelog')(name, type, fields)) }}
{%- endmacro %}

{#- How every type is cast, unless the project has a macro of its own for it and says so under `dispatch`. -#}
{% macro default__cdc_typed_column(name, type, fields) -%}
    {%- set value = 'try_element_at(' ~ fields ~ ', ' ~ cdc_changelog.cdc_literal(name) ~ ')' -%}
    {%- set wanted = type | lower | trim -%}
    {%- if wanted == 'variant' -%}
        {{ exceptions.raise_compiler_error(
            "cdc_typed_column: column '" ~ name ~ "' asks for variant, which clients of the Thrift "
            ~ "server cannot read; take string (JSON text) or array, map or struct.") }}
    {%- elif wanted == 'string' -%}
        {{ value }}
    {%- elif wanted.split('<')[0] in ['array', 'map', 'struct'] -%}
        case
            when try_parse_json({{ value }}) is not null then from_json({{ value }}, '{{ type }}')
        end
    {%- else -%}
        try_cast({{ value }} as {{ type }})
    {%- endif -%}
{%- endmacro %}
