{#- The columns that a vendor's stg_<vendor>__changes may give, names and types. What each one means: docs/adding_a_vendor.md. -#}
{% macro cdc_staging_columns() -%}
    {{ return(cdc_columns(
        'source string; landing_batch bigint; topic string; partition int; offset bigint; timestamp timestamp; key string; '
        ~ 'headers map<string,string>; event_index int; table_index int; '
        ~ 'stored_event string; event string; status string; reason string; '
        ~ 'reason_detail string; schema_scope string; vendor_identity string; content_sent string; database_name string; '
        ~ 'schema_name string; table_name string; operation string; key_columns_sent array<string>; '
        ~ 'key_values_sent array<string>; key_values_before_sent array<string>; before string; after string; '
        ~ 'before_image string; after_image string; changed_columns array<string>; position string; committed_at timestamp; '
        ~ 'snapshot_at timestamp; transaction_id string; transaction_index bigint; is_transaction_end boolean; '
        ~ 'message_id string; schema_id string; metadata string; warnings array<string>'
    )) }}
{%- endmacro %}

{#- The columns of cdc_staging_columns out of one vendor's model, a select list: what its messages never carry is null. A column that
    is not one of them, or is of another type, is refused. changes: the relation stg_<vendor>__changes. -#}
{% macro cdc_staging_columns_of(changes) -%}
    {%- set found = {} -%}
    {%- for column in adapter.get_columns_in_relation(changes) if execute -%}
        {%- do found.update({column.name: column.data_type | replace(' ', '')}) -%}
    {%- endfor -%}
    {%- set columns = cdc_staging_columns() -%}
    {%- for column in columns -%}
        {%- set type = found.pop(column.name, none) -%}
        {%- if type and type != column.type | replace(' ', '') -%}
            {{ exceptions.raise_compiler_error(
                changes ~ ' gives ' ~ column.name ~ ' as ' ~ type ~ '; expected ' ~ column.type ~ '.') }}
        {%- endif %}
    {{ '`' ~ column.name ~ '`' if type else 'cast(null as ' ~ column.type ~ ') as `' ~ column.name ~ '`' }}
        {{- ',' if not loop.last }}
    {%- endfor -%}
    {%- if found -%}
        {{ exceptions.raise_compiler_error(
            changes ~ ' gives the unknown columns ' ~ found | join(', ') ~ '; expected some of '
            ~ columns | map(attribute='name') | join(', ') ~ '.') }}
    {%- endif -%}
{%- endmacro %}
