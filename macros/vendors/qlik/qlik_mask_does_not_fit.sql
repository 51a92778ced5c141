{#- Whether a mask belongs to another list of columns than the effective one, by its length and its last bit. -#}
{% macro qlik_mask_does_not_fit(mask, column_count) -%}
    coalesce(
        {{ mask }}.byte_count < ceil({{ column_count }} / 8)
        or {{ mask }}.byte_count > {{ column_count }} div 8 + 1
        or {{ mask }}.highest_ordinal > {{ column_count }},
        false
    )
{%- endmacro %}
