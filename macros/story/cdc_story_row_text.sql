{#- A row in a form that is the same for all vendors, however they write values: one JSON
    object, columns sorted by name, every value as text; null stays null, and an absent column
    is not there.
    row: SQL expression of a row's JSON text. -#}
{% macro cdc_story_row_text(row) -%}
    to_json(
        map_from_entries(array_sort(map_entries({{ cdc_json_fields(row) }}))),
        map('ignoreNullFields', 'false')
    )
{%- endmacro %}
