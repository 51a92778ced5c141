{#- The one list of the changelog's columns: names and types, in order. The second list serves the next models and may change between
    versions; the first one is the public contract. -#}
{% macro cdc_changelog_columns() -%}
    {{ return(cdc_columns(
        'change_id string; vendor string; source string; database_name string; schema_name string; table_name string; '
        ~ 'operation string; row_key string; row_key_before string; key_columns array<string>; before string; after string; '
        ~ 'before_image string; after_image string; changed_columns array<string>; epoch int; position string; '
        ~ 'committed_at timestamp; snapshot_at timestamp; transaction_id string; transaction_index bigint; '
        ~ 'is_transaction_end boolean; message_id string; schema_id string; metadata string; warnings array<string>; '
        ~ 'landing_batch bigint; topic string; partition int; offset bigint; event_index int'
    ) + cdc_columns(
        'row_id string; row_id_before string; identity_hash bigint; load_number bigint; event_number bigint'
    )) }}
{%- endmacro %}
