{#- The order of a row's events (S3, S9), one total order for every window. Where every event has a position, time does not order. -#}
{% macro cdc_row_order(without_position) -%}
    {{ return((
        ['epoch', 'effective_at', 'has_position', 'order_position', 'unpositioned_at'] if without_position
        else ['epoch', 'order_position']
    ) + ['operation_class', 'transport_order', 'operation_rank', 'change_id', 'key_change_side', 'row_id']) }}
{%- endmacro %}
