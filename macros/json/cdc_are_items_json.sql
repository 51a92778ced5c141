{#- Whether each item of an array in a JSON text is free of raw control characters, array<boolean>; null where all are. -#}
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
