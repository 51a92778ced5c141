{#- The one list of what a vendor's stg_<vendor>__changes gives: names and types, in order. The union of all vendors
    is made from it, so a missing column is a compile error. What each column means: docs/adding_a_vendor.md. -#}
{% macro cdc_element_columns() -%}
    {{ return(cdc_columns(
        'source string; landing_batch bigint; topic string; partition int; offset bigint; timestamp timestamp; key string; '
        ~ 'headers map<string,string>; event_index int; table_index int; '
        ~ 'stored_event string; element string; outcome string; reason string; '
        ~ 'reason_detail string; schema_scope string; vendor_identity string; content_sent string; database_name string; '
        ~ 'schema_name string; table_name string; operation string; key_columns_sent array<string>; '
        ~ 'key_values_sent array<string>; key_values_before_sent array<string>; before string; after string; '
        ~ 'before_image string; after_image string; changed_columns array<string>; position string; committed_at timestamp; '
        ~ 'snapshot_at timestamp; transaction_id string; transaction_index bigint; is_transaction_end boolean; '
        ~ 'message_id string; schema_id string; metadata string; warnings array<string>'
    )) }}
{%- endmacro %}
