{#- True where a mask belongs to another list of columns than the effective one: a mask of n columns is n div 8 + 1 bytes long
    (where n is a multiple of 8 one byte less is taken too), and has no bit beyond the last column.
    mask: SQL expression of a row of stg_qlik__masks; column_count: SQL expression of n. -#}
{% macro qlik_mask_does_not_fit(mask, column_count) -%}
    coalesce(
        {{ mask }}.byte_count < ceil({{ column_count }} / 8)
        or {{ mask }}.byte_count > {{ column_count }} div 8 + 1
        or {{ mask }}.highest_ordinal > {{ column_count }},
        false
    )
{%- endmacro %}
