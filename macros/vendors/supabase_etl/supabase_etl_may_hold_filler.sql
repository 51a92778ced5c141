{#- True where a row that an update of 2025 sent may hold a value that nobody wrote, in a column that PostgreSQL may store out of
    line: in a new row a type's default, since the structs of 2025 cannot say "not sent"; in a full old row a null, where the value
    was moved into the new row.
    image: SQL expression of the row as JSON text, looked at first. may_be_stored_apart, cells: SQL expressions, for each column
    whether it may be, and the row's cells. moved_to: SQL expression of the new row's cells, where the row is the old one. -#}
{% macro supabase_etl_may_hold_filler(image, may_be_stored_apart, cells, moved_to=none) -%}
    {% if moved_to %}contains({{ image }}, ':null'){% else %}{{ image }} rlike ':(?:"?0"?|""|\\[\\]|\\{\\})[,}]'{% endif %}
    and array_contains(
        zip_with(
            {{ may_be_stored_apart }},
            {%- if moved_to %}
            zip_with({{ cells }}, {{ moved_to }}, (cell, moved) -> to_json(cell) = 'null' and to_json(moved) <> 'null'),
            {%- else %}
            transform({{ cells }}, cell -> to_json(cell) in ('""', '0', '"0"', '[]', '{}')),
            {%- endif %}
            (is_apart, is_filler) -> is_apart and is_filler
        ), true
    )
{%- endmacro %}
