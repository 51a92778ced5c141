{#- True where a metadata message lists columns that masks can speak of: each has an ordinal of its own, from 1.
    columns: SQL expression, the columns as qlik_schema_message gave them. -#}
{% macro qlik_has_usable_columns(columns) -%}
    coalesce(
        size({{ columns }}) > 0
        and size(array_distinct({{ columns }}.ordinal)) = size({{ columns }})
        and array_min({{ columns }}.ordinal) >= 1 and array_max({{ columns }}.ordinal) <= 16384
        and not array_contains(transform({{ columns }}, column -> column.ordinal is null), true),
        false
    )
{%- endmacro %}
