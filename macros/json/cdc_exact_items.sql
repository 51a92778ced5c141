{#- The items of an array in a JSON document as JSON texts, numbers as in cdc_exact_json. Items that stand in the text character for
    character need no closer look. -#}
{% macro cdc_exact_items(text, name, as_read) -%}
    coalesce(
        case
            when not contains({{ text }}, array_join({{ as_read }}, ',')) and {{ cdc_may_hold_inexact_numbers(text) }}
                then zip_with(
                    {{ as_read }},
                    from_json({{ cdc_long_numbers_as_text(text) }}, '{{ name }} array<variant>').{{ name }},
                    (item, exact) -> if({{ cdc_may_hold_inexact_numbers('to_json(exact)') }}, to_json(exact), item)
                )
        end,
        {{ as_read }}
    )
{%- endmacro %}
