{%- set names_by_ordinal = 'coalesce(column_names, json_object_keys(coalesce(image, before_data)))'
    if var('cdc_qlik_ordinals_from_json_order', false) | as_bool else 'column_names' %}
-- Each message with what is known of its table: metadata messages, masks and configuration.
with known as (
    select
        events.*,
        case
            when operation = 'schema' then null
            when schema_id_sent is not null then concat('id ', schema_id_sent)
            when table_in_message is not null then {{ qlik_table_key('schema_in_message', 'table_in_message') }}
            when table_in_row is null then {{ qlik_table_key('schema_in_topic', 'table_in_topic') }}
        end as schema_key
    from {{ ref('stg_qlik__events') }} as events
),

looked_up as (
    select
        known.*,
        {{ qlik_effective_schema('schemas.table_schemas', 'schema_id_sent', 'happened_at') }} as schema_found,
        struct(column_masks.*) as columns_sent,
        struct(change_masks.*) as columns_changed,
        case
            when table_in_message = schema_found.table_name then coalesce(schema_in_message, schema_found.schema_name)
            when table_in_message is not null then schema_in_message
            when schema_id_sent is not null and schema_found is not null then schema_found.schema_name
            when table_in_row is null then schema_in_topic
        end as schema_name,
        coalesce(
            table_in_message, if(schema_id_sent is null, null, schema_found.table_name), table_in_row, table_in_topic
        ) as table_name
    from known
    left join {{ ref('stg_qlik__effective_schemas') }} as schemas
        on known.source = schemas.source and known.schema_key = schemas.schema_key
    left join {{ ref('stg_qlik__masks') }} as column_masks on known.column_mask = column_masks.mask
    left join {{ ref('stg_qlik__masks') }} as change_masks on known.change_mask = change_masks.mask
),

-- Where configuration names columns and key, a metadata message that is only found by the table's name adds nothing.
configured as (
    select
        looked_up.* except (schema_found),
        {{ cdc_settings_of('source', 'schema_name') }} as table_settings,
        looked_up.schema_id_sent is not null
        or table_settings.column_names is null or table_settings.key_columns is null as needs_schema,
        if(needs_schema, looked_up.schema_found, null) as table_schema,
        coalesce(table_settings.column_names, looked_up.schema_found.column_names) as column_names,
        if(column_names is null, null, size(column_names)) as column_count
    from looked_up
    {{ cdc_table_settings_join("'qlik'", 'looked_up.table_name') }}
),

-- A null under a cleared bit of the column mask is a column that was not captured. Without a list of columns a mask is
-- complete that has no gap, and a bit for every column of the row.
with_unsent_columns as (
    select
        *,
        column_mask is null or columns_sent.ordinal_count >= coalesce(
            column_count, greatest(columns_sent.highest_ordinal, image_column_count, before_column_count)
        ) as is_mask_complete,
        if(column_mask is null, 0, coalesce(column_count, columns_sent.ordinal_count)) as columns_promised,
        coalesce(contains(image, ':null'), false) or coalesce(contains(before_data, ':null'), false) as holds_null,
        not is_mask_complete and holds_null as needs_unsent,
        filter(
            if(needs_unsent, {{ names_by_ordinal }}, null),
            (name, place) -> name is not null and not array_contains(columns_sent.ordinals, place + 1)
        ) as unsent_columns,
        filter(
            if(operation = 'update' and change_mask is not null, column_names, null),
            (name, place) -> name is not null and array_contains(columns_changed.ordinals, place + 1)
        ) as changed_columns
    from configured
),

validated as (
    select
        *,
        case
            when problem is not null or operation = 'schema' then problem
            when change_mask is not null and columns_changed.ordinals is null then 'BAD_MASK'
            when column_mask is not null and columns_sent.ordinals is null then 'BAD_MASK'
            when table_name is null then if(schema_id_sent is null, 'MISSING_TABLE', 'NO_SCHEMA')
            when {{ qlik_mask_does_not_fit('columns_sent', 'column_count') }} then 'NO_SCHEMA'
            when {{ qlik_mask_does_not_fit('columns_changed', 'column_count') }} then 'NO_SCHEMA'
            when needs_unsent and unsent_columns is null then 'NO_SCHEMA'
        end as reason,
        reason is null and operation <> 'schema' as is_of_a_row,
        is_mask_complete and image_column_count >= columns_promised as is_image_full,
        is_mask_complete
        and if(operation = 'delete', image_column_count, before_column_count) >= columns_promised as is_before_full,
        {{ cdc_json_without_members('image', 'unsent_columns', 'null') }} as image_kept,
        if(
            operation = 'update', {{ cdc_json_without_members('before_data', 'unsent_columns', 'null') }}, null
        ) as before_kept
    from with_unsent_columns
)

select
    {{ cdc_transport_columns() }},
    event,
    {{ cdc_status('reason') }} as status,
    reason,
    case
        when reason = 'NO_SCHEMA' and table_name is null
            then concat('No metadata message with schema id ', schema_id_sent, ' yet.')
        else {{ cdc_reason_detail(
            'reason', 'wrong_types',
            'operation_sent, change_sequence, schema_id_sent, table_name, change_mask, column_mask, column_count'
        ) }}
    end as reason_detail,
    if(
        is_of_a_row and needs_schema and (schema_id_sent is null or table_schema is null), schema_key, null
    ) as schema_scope,
    case operation
        when 'schema'
            then to_json(array('schema', schema_id_sent, schema_name, table_name, string(declared.table_version)))
        else concat(table_sent, '/', position)
    end as vendor_identity,
    case operation
        when 'schema' then to_json(struct(declared.lineage, declared.columns))
        when 'snapshot' then concat_ws('\n', table_sent, time_sent, image)
        when 'delete' then image
        else concat(image, '\n', coalesce(before_data, ''))
    end as content_sent,
    schema_name,
    table_name,
    operation,
    if(reason is null, table_schema.key_columns, null) as key_columns_sent,
    if(is_of_a_row, if(operation = 'delete', image_kept, before_kept), null) as before,
    if(is_of_a_row and operation <> 'delete', image_kept, null) as after,
    if(
        reason is null, if(coalesce(before, '{}') = '{}', 'none', if(is_before_full, 'full', 'partial')), null
    ) as before_image,
    if(reason is null, if(after is null, 'none', if(is_image_full, 'full', 'partial')), null) as after_image,
    if(reason is null, changed_columns, null) as changed_columns,
    if(
        after_image = 'partial' and (schema_id_sent is not null or table_schema.produced_at <= happened_at),
        table_schema.column_names, null
    ) as row_columns,
    position,
    coalesce(declared.produced_at, if(operation = 'snapshot', null, happened_at)) as committed_at,
    if(operation = 'snapshot', happened_at, null) as snapshot_at,
    transaction_id,
    transaction_index,
    is_transaction_end,
    change_sequence as message_id,
    coalesce(schema_id_sent, table_schema.schema_id) as schema_id,
    if(reason is null, metadata, null) as metadata,
    {{ cdc_warnings({
        'NEWER_PRODUCER': 'is_of_newer_producer',
        'BAD_TIME': 'happened_at is null and time_sent is not null',
        'NUMBER_KEPT_AS_TEXT': 'has_number_as_text',
        'NULL_MAY_BE_UNKNOWN': "column_mask is null and operation <> 'snapshot' and holds_null",
        'COLUMN_LISTED_BUT_ABSENT': 'is_mask_complete and image_column_count < columns_promised',
        'KEY_CHANGE_WITHOUT_OLD_KEY': "before_data is null"
            ~ ' and arrays_overlap(changed_columns, coalesce(table_settings.key_columns, table_schema.key_columns))',
    }) }} as warnings
from validated
