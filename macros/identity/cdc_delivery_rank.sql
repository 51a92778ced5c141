{#- Of several deliveries of one change that differ in a counter or a time the least counts, whichever came first (S3). -#}
{% macro cdc_delivery_rank() -%}
    struct(
        position is null, position, committed_at is null, committed_at, snapshot_at is null, snapshot_at,
        transaction_index is null, transaction_index, transaction_id is null, transaction_id,
        is_transaction_end is null, is_transaction_end
    )
{%- endmacro %}
