{#- What a JSON text says, columns of a select list: its fields, its VARIANT, and what is wrong with it. -#}
{% macro cdc_json_columns(text, name, type, objects, types, has_numbers=true) -%}
    from_json(concat('{"{{ name }}":', {{ text }}, '}'), '{{ name }} struct<{{ type }}>').{{ name }} as {{ name }},
    {%- if has_numbers %}
    {{ cdc_has_inexact_numbers(text) }} as {{ name }}_is_inexact,
    if({{ name }}_is_inexact, {{ cdc_long_numbers_as_text(text) }}, {{ text }}) as {{ name }}_safe_text,
    {{ text }} <> {{ name }}_safe_text as {{ name }}_has_number_as_text,
    {%- endif %}
    {{ cdc_json_document(name ~ '_safe_text' if has_numbers else text) }} as {{ name }}_document,
    {{ cdc_json_problem(text, objects, is_valid='(' ~ name ~ ' is not null and ' ~ name ~ '_document is not null)') }}
        as {{ name }}_problem,
    {{ cdc_wrong_types(name ~ '_document', types) }} as {{ name }}_wrong_types
{%- endmacro %}

{#- A member of a text that cdc_json_columns has read, as JSON text with its numbers as they were sent. -#}
{% macro cdc_json_member(name, member) -%}
    {{ cdc_exact_json(name ~ '_document', '$[0].' ~ member, name ~ '.' ~ member, name ~ '_is_inexact') }}
{%- endmacro %}
