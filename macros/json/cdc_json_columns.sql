{#- What a JSON text says, columns of a select list:
      <name>                      the text by from_json, a struct; its fields are text where the type says so
      <name>_is_inexact           true where from_json would not return every number as it was sent
      <name>_safe_text            the text, with numbers that VARIANT cannot hold as strings
      <name>_has_number_as_text   true where there is such a number
      <name>_document             the text as VARIANT, its value at $[0]
      <name>_problem              null, NOT_JSON or DUPLICATE_KEYS
      <name>_wrong_types          names of the fields whose JSON type is not the documented one; null where all are right
    text: SQL expression. name: what the columns are called after. type: fields of the struct, `name type, …`.
    objects: JSON paths of the objects whose keys must be unique. types: what cdc_wrong_types takes.
    has_numbers: false where the text has none that must be exact, and the three columns about them are left out; looking for
    them costs as much as the parse. -#}
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

{#- A member of a text that cdc_json_columns has read, as JSON text with its numbers as they were sent.
    name: what its columns are called after. member: name of the struct's field. -#}
{% macro cdc_json_member(name, member) -%}
    {{ cdc_exact_json(name ~ '_document', '$[0].' ~ member, name ~ '.' ~ member, name ~ '_is_inexact') }}
{%- endmacro %}
