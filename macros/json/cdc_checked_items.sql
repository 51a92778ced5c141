{#- Items of an array as JSON texts, each with whether it is JSON: all are where `are_items_json` (cdc_are_items_json) is null. -#}
{% macro cdc_checked_items(items, are_items_json) -%}
    case
        when {{ are_items_json }} is null then transform({{ items }}, item -> struct(item as text, true as is_json))
        else zip_with({{ items }}, {{ are_items_json }}, (item, is_item_json) -> struct(item as text, is_item_json as is_json))
    end
{%- endmacro %}
