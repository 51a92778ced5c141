{#- A member of a JSON document as JSON text, its numbers as they were sent; one that VARIANT cannot hold is a string.
    from_json has read the member already; where a number may have suffered, it is written again from VARIANT. That text
    counts only if the member is an object with a number that needs it, so that an event reads the same alone and in a batch.
    Its keys come sorted.
    document: SQL expression of a VARIANT, made of cdc_long_numbers_as_text. path: JSON path of the member in it.
    as_read: SQL expression, the member as from_json made it. has_inexact_numbers: SQL condition, cdc_has_inexact_numbers of
    the text. -#}
{% macro cdc_exact_json(document, path, as_read, has_inexact_numbers) -%}
    {%- set exact = "to_json(try_variant_get(" ~ document ~ ", '" ~ path ~ "'))" -%}
    if(
        {{ has_inexact_numbers }} and {{ cdc_has_inexact_numbers(exact) }}
        and try_variant_get({{ document }}, '{{ path }}', 'struct<>') is not null,
        {{ exact }}, {{ as_read }}
    )
{%- endmacro %}

{#- The items of an array in a JSON document as JSON texts, numbers as in cdc_exact_json; all as they were read where one of
    them repeats a key, which VARIANT refuses.
    text: SQL expression of the document. name: name of the array in it. as_read: SQL expression, the array as array<string>
    that from_json made of it. -#}
{% macro cdc_exact_items(text, name, as_read) -%}
    coalesce(
        case
            when {{ cdc_has_inexact_numbers(text) }}
                then zip_with(
                    {{ as_read }},
                    from_json({{ cdc_long_numbers_as_text(text) }}, '{{ name }} array<variant>').{{ name }},
                    (item, exact) -> if({{ cdc_has_inexact_numbers('to_json(exact)') }}, to_json(exact), item)
                )
        end,
        {{ as_read }}
    )
{%- endmacro %}
