{#- The keys of a text that is one JSON object and nothing else, in order and with repeats; the last
    one is a mark of ours. Null, or another last key, for anything else. The mark is put before the
    closing brace: only where that brace closes the whole does it become a key of the object. So one
    pass over the text tells cut text, trailing garbage, repeated keys and unknown fields.
    An object without keys comes out as null. -#}
{% macro savegress_object_keys(text) -%}
    json_object_keys(
        concat(
            substring({{ text }}, 1, length({{ text }}) - 1),
            ',"{{ savegress_end_mark() }}":0}'
        )
    )
{%- endmacro %}

{#- The key that savegress_object_keys adds. -#}
{% macro savegress_end_mark() -%}
cdc-end-of-object
{%- endmacro %}
