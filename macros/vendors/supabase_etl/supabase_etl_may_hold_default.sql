{#- True where a new row of 2025 may hold a value that nobody wrote: its structs cannot say "not sent", so a value that PostgreSQL
    did not send again is filled with its type's default. image: SQL expression of the row as JSON text, looked at first.
    may_be_stored_apart, cells: SQL expressions, for each column whether PostgreSQL may keep its value out of line, and the cells. -#}
{% macro supabase_etl_may_hold_default(image, may_be_stored_apart, cells) -%}
    {{ image }} rlike ':(?:"?0"?|""|\\[\\]|\\{\\})[,}]'
    and array_contains(
        zip_with(
            {{ may_be_stored_apart }}, {{ cells }},
            (is_apart, cell) -> is_apart and to_json(cell) in ('""', '0', '"0"', '[]', '{}')
        ), true
    )
{%- endmacro %}

{#- True where a value of 2025's full old row may have been moved into the new row, so that a null is left.
    image: SQL expression of the old row as JSON text, looked at first. may_be_stored_apart, old_cells, new_cells: SQL
    expressions as above. -#}
{% macro supabase_etl_may_hold_moved_value(image, may_be_stored_apart, old_cells, new_cells) -%}
    contains({{ image }}, ':null')
    and array_contains(
        zip_with(
            {{ may_be_stored_apart }},
            zip_with({{ old_cells }}, {{ new_cells }}, (old, new) -> to_json(old) = 'null' and to_json(new) <> 'null'),
            (is_apart, is_emptied) -> is_apart and is_emptied
        ), true
    )
{%- endmacro %}
