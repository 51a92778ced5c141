{#- Whether a row of an update of 2025 may hold a type's default in place of a value, where PostgreSQL may store the column out of line. -#}
{% macro supabase_etl_may_hold_fabricated_default(image, may_be_toasted, cells, moved_to=none) -%}
    {% if moved_to %}contains({{ image }}, ':null'){% else %}{{ image }} rlike ':(?:"?0"?|""|\\[\\]|\\{\\})[,}]'{% endif %}
    and array_contains(
        zip_with(
            {{ may_be_toasted }},
            {%- if moved_to %}
            zip_with({{ cells }}, {{ moved_to }}, (cell, moved) -> to_json(cell) = 'null' and to_json(moved) <> 'null'),
            {%- else %}
            transform({{ cells }}, cell -> to_json(cell) in ('""', '0', '"0"', '[]', '{}')),
            {%- endif %}
            (is_apart, is_filler) -> is_apart and is_filler
        ), true
    )
{%- endmacro %}
