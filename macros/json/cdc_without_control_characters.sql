{#- A text without raw control characters. JSON allows some of them between its tokens, and none inside a string.
    text: SQL expression. -#}
{% macro cdc_without_control_characters(text) -%}
    regexp_replace({{ text }}, '[\\x00-\\x1f]', '')
{%- endmacro %}

{#- Whether each item of an array in a JSON text is free of raw control characters, array<boolean>; null where all are. An
    item whose string holds one is no JSON, and its neighbours are.
    text: SQL expression of the document. clean_text: the same without control characters. name: name of the array in it.
    as_read: SQL expression, the array as array<string> that from_json made of text with allowUnquotedControlChars. -#}
{% macro cdc_are_items_json(text, clean_text, name, as_read) -%}
    case
        when {{ clean_text }} <> {{ text }}
            then zip_with(
                {{ as_read }},
                from_json({{ clean_text }}, '{{ name }} array<string>').{{ name }},
                (item, clean_item) -> item <=> clean_item
            )
    end
{%- endmacro %}
