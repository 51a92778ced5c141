{#- The columns of a change that pass from a vendor's staging to the changelog as they are. Add new vendor columns to this list. -#}
{% macro cdc_carried_columns() -%}
    {{ return(cdc_columns(
        'position string; committed_at timestamp; snapshot_at timestamp; transaction_id string; transaction_index bigint; '
        ~ 'is_transaction_end boolean; message_id string; schema_id string; metadata string; warnings array<string>'
    )) }}
{%- endmacro %}

{#- The columns that a vendor's stg_<vendor>__changes may give. What each one means: docs/adding_a_vendor.md. -#}
{% macro cdc_staging_columns() -%}
    {{ return(cdc_columns(
        'source string; landing_batch bigint; topic string; partition int; offset bigint; timestamp timestamp; key string; '
        ~ 'headers map<string,string>; event_index int; table_index int; stored_event string; event string; status string; '
        ~ 'reason string; reason_detail string; schema_scope string; vendor_identity string; content_sent string; '
        ~ 'database_name string; schema_name string; table_name string; operation string; key_columns_sent array<string>; '
        ~ 'key_values_sent array<string>; key_values_before_sent array<string>; before string; after string; '
        ~ 'before_image string; after_image string; changed_columns array<string>'
    ) + cdc_table_life_columns() + cdc_carried_columns()) }}
{%- endmacro %}

{#- What an event says of the life of its table and its columns (S5, S7); these columns serve the building of rows alone. -#}
{% macro cdc_table_life_columns() -%}
    {{ return(cdc_columns(
        'row_columns array<string>; ended_columns array<string>; ends_table boolean; table_identity string'
    )) }}
{%- endmacro %}

{#- The columns of cdc_changelog, which is public. -#}
{% macro cdc_changelog_columns() -%}
    {{ return(cdc_columns(
        'change_id string; vendor string; source string; database_name string; schema_name string; table_name string; '
        ~ 'operation string; row_key string; row_key_before string; key_columns array<string>; before string; after string; '
        ~ 'before_image string; after_image string; changed_columns array<string>; epoch int'
    ) + cdc_carried_columns() + cdc_columns(
        'landing_batch bigint; topic string; partition int; offset bigint; event_index int'
    )) }}
{%- endmacro %}

{#- The columns of a change that serve the next models alone: its row, its identity, and where the event store holds it. -#}
{% macro cdc_internal_columns() -%}
    {{ return(cdc_columns(
        'row_id string; row_id_before string; identity_hash bigint; load_number bigint; event_number bigint'
    )) }}
{%- endmacro %}

{#- The columns of the event store. -#}
{% macro cdc_event_columns() -%}
    {{ return(cdc_changelog_columns() + cdc_internal_columns() + cdc_table_life_columns() + cdc_columns(
        'status string; reason string; reason_detail string; event string; schema_scope string; table_index int; '
        ~ 'message_timestamp timestamp; message_key string; headers map<string, string>; is_delivery boolean; '
        ~ 'first_delivery ' ~ cdc_delivery_type() ~ '; deciding_delivery ' ~ cdc_delivery_type() ~ '; '
        ~ 'replaces array<struct<load_number: bigint, event_number: bigint>>; replaced_because string'
    )) }}
{%- endmacro %}

{#- Where a delivery lies, a type. -#}
{% macro cdc_delivery_type() -%}
    struct<landing_batch: bigint, topic: string, `partition`: int, `offset`: bigint, event_index: int>
{%- endmacro %}
