{#- An image as the JSON text of an object, its numbers as they were sent: `exact` is the image as VARIANT where from_json may have changed
    it, else null. One that was sent as JSON text inside a string is the object that the text holds. Null for what is no object. -#}
{% macro cdc_exact_image(exact, as_read) -%}
    case
        when not startswith({{ as_read }}, '{')
            then null
        when {{ exact }} is null
            then {{ as_read }}
        when try_variant_get({{ exact }}, '$', 'struct<>') is not null
            then to_json({{ exact }})
        else to_json(try_variant_get(try_parse_json({{ cdc_long_numbers_as_text(as_read) }}), '$'))
    end
{%- endmacro %}
