{#- Whether a mask belongs to another list of columns than the effective one: it is longer, or has a bit behind the last column. It may lack
    leading zero bytes, as the vendor's page writes `0B` for ten columns. -#}
{% macro qlik_mask_does_not_fit(mask_bits, column_count) -%}
    coalesce(
        {{ mask_bits }}.byte_count > {{ column_count }} div 8 + 1
        or {{ mask_bits }}.highest_ordinal > {{ column_count }},
        false
    )
{%- endmacro %}
