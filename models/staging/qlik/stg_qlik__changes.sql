{%- set injected_columns = var('cdc_qlik_table_columns', []) %}
{%- if injected_columns is string or injected_columns is not iterable %}
{{ exceptions.raise_compiler_error(
    "var cdc_qlik_table_columns is '" ~ injected_columns ~ "'; expected a list of column names.") }}
{%- endif %}
{%- set ordinals_from_json_order = var('cdc_qlik_ordinals_from_json_order', false) in [true, 'true'] %}
-- Every event with its operation, its time and its position.
with described as (
    select
        *,
        coalesce(message_type = 'MD' or table_columns is not null, false) as is_schema_message,
        case
            when is_schema_message then 'schema'
            when upper(operation_sent) = 'REFRESH' then 'snapshot'
            when upper(operation_sent) in ('INSERT', 'UPDATE', 'DELETE') then lower(operation_sent)
        end as operation,
        -- A metadata message has the time when it was made.
        coalesce(header_timestamp, lineage_timestamp) as time_sent,
        {{ cdc_utc_timestamp('time_sent') }} as event_at,
        case
            when operation in ('insert', 'update', 'delete') and change_sequence rlike '^[0-9]{1,35}$'
                then lpad(change_sequence, 35, '0')
        end as position,
        try_cast(transaction_event_counter as bigint) as transaction_index,
        try_cast(transaction_last_event as boolean) as is_transaction_end,
        -- A file's name has a colon in it, and is no topic of a table.
        case when topic rlike '^[^./:\\s]+[.][^./:\\s]+$' then topic end as topic_of_table,
        substring_index(topic_of_table, '.', 1) as schema_in_topic,
        substring_index(topic_of_table, '.', -1) as table_in_topic
    from {{ ref('stg_qlik__fields') }}
),

-- Every event with the row that it speaks of, with its metadata, and with a column that names its table. The row of a
-- delete is sent as data or as beforeData; where both are empty, the key of the message may name it.
with_image as (
    select
        *,
        case
            when operation <> 'delete' then data
            when data <> '{}' then data
            when before_data <> '{}' then before_data
            when startswith(`key`, '{') then nullif(to_json(from_json(`key`, 'map<string,variant>')), '{}')
        end as image,
        operation = 'delete' and coalesce(nullif(data, '{}'), nullif(before_data, '{}')) is null as is_message_key,
        to_json(struct(
            magic,
            message_schema as `messageSchema`,
            try_parse_json(envelope_headers) as headers,
            try_parse_json(lineage) as lineage,
            try_parse_json(table_columns) as `tableColumns`,
            stream_position as `streamPosition`,
            change_mask as `changeMask`,
            column_mask as `columnMask`,
            external_schema_id as `externalSchemaId`,
            if(event_at is null, time_sent, null) as `timestamp`
        )) as metadata,
        magic <> 'atMSG' or message_type not in ('DT', 'MD') as is_of_newer_producer,
        case when is_schema_message then {{ cdc_content(['lineage', 'table_columns']) }} end as schema_content,
        is_schema_message and {{ qlik_schema_columns('table_columns') }} is null as has_unusable_columns,
        {{ qlik_injected_table('coalesce(data, before_data)', injected_columns) }} as table_injected
    from described
),

-- Every event with what its schema message is looked up by, and with how the message itself names its table: this stays
-- the same when a schema message arrives later.
keyed as (
    select
        *,
        case when table_in_message is null then table_injected end as table_in_row,
        case
            when is_schema_message then null
            when schema_id_sent is not null then concat('id ', schema_id_sent)
            when table_in_message is not null then {{ qlik_table_key('schema_in_message', 'table_in_message') }}
            when table_in_row is null or table_in_row = table_in_topic
                then {{ qlik_table_key('schema_in_topic', 'table_in_topic') }}
        end as schema_key,
        case
            when table_in_message is not null then array('table', schema_in_message, table_in_message)
            when schema_id_sent is not null then array('schema', schema_id_sent)
            when table_injected is not null and not table_injected <=> table_in_topic
                then array('table', null, table_injected)
            when table_in_topic is not null then array('table', schema_in_topic, table_in_topic)
        end as table_reference
    from with_image
),

-- Every event with the effective table schema, the one of its id or the one of its table at its time, and with the
-- table's name.
with_schema as (
    select
        keyed.*,
        schemas.schema_id as known_schema_id,
        schemas.column_names as known_column_names,
        schemas.key_columns as known_key_columns,
        schemas.valid_from as known_valid_from,
        case
            when keyed.table_in_message = schemas.table_name
                then coalesce(keyed.schema_in_message, schemas.schema_name)
            when keyed.table_in_message is not null
                then keyed.schema_in_message
            when keyed.schema_id_sent is not null and schemas.table_name is not null
                then schemas.schema_name
            when keyed.table_in_row is null or keyed.table_in_row = keyed.table_in_topic
                then keyed.schema_in_topic
        end as schema_name,
        coalesce(
            keyed.table_in_message,
            case when keyed.schema_id_sent is not null then schemas.table_name end,
            keyed.table_in_row,
            keyed.table_in_topic
        ) as table_name
    from keyed
    left join {{ ref('stg_qlik__effective_schemas') }} as schemas
        on
            keyed.source = schemas.source
            and keyed.schema_key = schemas.schema_key
            and (schemas.is_first or keyed.event_at >= schemas.valid_from)
            and (
                schemas.valid_to is null
                or coalesce(keyed.event_at, timestamp '0001-01-01 00:00:00') < schemas.valid_to
            )
),

-- Every mask with what its bits say.
masks as (
    select
        mask,
        struct(ordinals, ordinal_count, highest_ordinal, byte_count) as bits
    from {{ ref('stg_qlik__masks') }}
),

-- Every event with the columns that its masks name, by their ordinals.
with_masks as (
    select
        with_schema.*,
        column_masks.bits as column_mask_bits,
        change_masks.bits as change_mask_bits
    from with_schema
    left join masks as column_masks on with_schema.column_mask = column_masks.mask
    left join masks as change_masks on with_schema.change_mask = change_masks.mask
),

-- Every event with the settings of its table. Configuration wins over the schema message.
configured as (
    select
        with_masks.*,
        {{ cdc_settings_of('with_masks.source', 'with_masks.schema_name') }} as table_settings,
        table_settings.key_columns as configured_key_columns,
        -- Where configuration names columns and key, a schema message that is only found by the table's name adds
        -- nothing.
        with_masks.schema_id_sent is not null
        or table_settings.column_names is null
        or table_settings.key_columns is null as needs_schema,
        coalesce(table_settings.column_names, with_masks.known_column_names) as column_names,
        -- The mask says which columns were sent. Where nothing lists the columns, a mask without a gap is complete that
        -- has a bit for every column of the row.
        column_mask is null
        or column_mask_bits.ordinal_count >= case
            when column_names is not null then size(column_names)
            else greatest(
                column_mask_bits.highest_ordinal,
                size(json_object_keys(image)),
                size(json_object_keys(before_data))
            )
        end as is_whole_row,
        coalesce(contains(image, ':null'), false) or coalesce(contains(before_data, ':null'), false) as holds_null
    from with_masks
    {{ cdc_table_settings_join("'qlik'", 'with_masks.table_name') }}
),

-- Every event with what its schema message says, and with the columns that were not sent: a null under a cleared bit of
-- the column mask is none.
with_columns as (
    select
        *,
        size(column_names) as column_count,
        case when needs_schema then known_key_columns end as message_key_columns,
        case when needs_schema then known_schema_id end as message_schema_id,
        -- A schema that was found by its table and that is younger than the row says nothing of the row's columns.
        case
            when schema_id_sent is not null or (needs_schema and event_at >= known_valid_from) then known_column_names
        end as columns_of_its_time,
        case
            when is_whole_row or not holds_null or is_message_key
                then null
            {%- if ordinals_from_json_order %}
            when column_names is null
                then filter(
                    json_object_keys(coalesce(image, before_data)),
                    (name, index) -> not array_contains(column_mask_bits.ordinals, index + 1)
                )
            {%- endif %}
            when column_names is not null
                then filter(
                    column_names,
                    (name, index) -> name is not null and not array_contains(column_mask_bits.ordinals, index + 1)
                )
            -- Which columns the bits mean is not known. A delete needs its key alone.
            when operation = 'delete' and configured_key_columns is not null
                then array_except(
                    map_keys(map_filter(from_json(image, 'map<string,string>'), (name, value) -> value is null)),
                    configured_key_columns
                )
        end as unsent_columns,
        case
            when operation = 'update' and change_mask is not null
                then filter(
                    column_names,
                    (name, index) -> name is not null and array_contains(change_mask_bits.ordinals, index + 1)
                )
        end as changed_columns
    from configured
),

-- Every event with the reason why it is no change, null for a change; and with its images without the columns that
-- were not sent.
validated as (
    select
        *,
        case
            when event is null then 'TOMBSTONE'
            when event rlike '^[\\[]\\s*[\\]]$' then 'EMPTY_ENVELOPE'
            when not is_json_object
                then if({{ cdc_is_one_json_value('event') }}, 'NOT_A_CHANGE', 'NOT_JSON')
            when is_schema_message and table_in_message is null then 'MISSING_TABLE'
            when has_unusable_columns then 'WRONG_TYPE'
            when is_schema_message then null
            when operation_sent is null then 'NOT_A_CHANGE'
            when operation is null then 'UNKNOWN_OPERATION'
            when operation = 'delete' and coalesce(image, '{}') = '{}' then 'MISSING_KEY_IMAGE'
            when coalesce(image, '{}') = '{}' then 'MISSING_IMAGE'
            when position is null and operation <> 'snapshot' then 'BAD_POSITION'
            when transaction_index is null and transaction_event_counter is not null then 'WRONG_TYPE'
            when is_transaction_end is null and transaction_last_event is not null then 'WRONG_TYPE'
            when change_mask_bits.ordinals is null and change_mask is not null then 'BAD_MASK'
            when column_mask_bits.ordinals is null and column_mask is not null then 'BAD_MASK'
            when table_name is null then if(schema_id_sent is null, 'MISSING_TABLE', 'NO_SCHEMA')
            when {{ qlik_mask_does_not_fit('column_mask_bits', 'column_count') }} then 'NO_SCHEMA'
            when {{ qlik_mask_does_not_fit('change_mask_bits', 'column_count') }} then 'NO_SCHEMA'
            when not is_whole_row and holds_null and not is_message_key and unsent_columns is null then 'NO_SCHEMA'
        end as reason,
        case operation
            when 'schema' then schema_content
            when 'snapshot'
                then {{ cdc_content(['to_json(table_reference)', 'to_json(array(time_sent))', 'image']) }}
            when 'delete' then {{ cdc_content(['image']) }}
            else {{ cdc_content(['image', 'before_data']) }}
        end as content_sent,
        {{ cdc_json_omit('image', 'unsent_columns', 'null') }} as image_without_unsent,
        {{ cdc_json_omit('before_data', 'unsent_columns', 'null') }} as before_without_unsent
    from with_columns
)

select
    source,
    landing_batch,
    topic,
    `partition`,
    `offset`,
    `timestamp`,
    `key`,
    headers,
    event_index,
    redecoded_event_id,
    event,
    {{ cdc_status('reason') }} as status,
    reason,
    case
        when reason = 'NO_SCHEMA' and table_name is null
            then concat('No metadata message with schema id ', schema_id_sent, ' yet.')
        when reason is not null
            then to_json(struct(
                operation_sent,
                change_sequence,
                schema_id_sent,
                table_name,
                change_mask,
                column_mask,
                column_count
            ))
    end as reason_detail,
    -- A schema message that arrives late may change how the event is read.
    case
        when reason is not null or is_schema_message
            then null
        when schema_id_sent is not null
            then if(known_column_names is null, schema_key, null)
        when needs_schema
            then schema_key
    end as schema_scope,
    case
        when is_schema_message
            then {{ cdc_identity([
                "'schema'", 'schema_id_sent', 'schema_name', 'table_name', 'string(table_version)',
            ]) }}
        when position is not null
            then to_json(array_append(table_reference, position))
    end as vendor_identity,
    content_sent,
    schema_name,
    table_name,
    operation,
    message_key_columns as key_columns_sent,
    case operation
        when 'delete' then image_without_unsent
        when 'update' then before_without_unsent
    end as before,
    case
        when operation in ('insert', 'update', 'snapshot') then image_without_unsent
    end as after,
    case
        when coalesce(before, '{}') = '{}' then 'none'
        when is_message_key then 'key'
        when is_whole_row then 'full'
        else 'partial'
    end as before_image,
    case
        when after is null then 'none'
        when is_whole_row then 'full'
        else 'partial'
    end as after_image,
    changed_columns,
    case when after_image = 'partial' then columns_of_its_time end as row_columns,
    position,
    case when operation <> 'snapshot' then event_at end as committed_at,
    case when operation = 'snapshot' then event_at end as snapshot_at,
    transaction_id,
    transaction_index,
    is_transaction_end,
    change_sequence as message_id,
    coalesce(schema_id_sent, message_schema_id) as schema_id,
    metadata,
    {{ cdc_warnings({
        'NEWER_PRODUCER': 'is_of_newer_producer',
        'BAD_TIME': 'event_at is null and time_sent is not null',
        'NUMBER_KEPT_AS_TEXT': 'has_number_as_text',
        'NULL_MAY_BE_UNKNOWN': "column_mask is null and operation <> 'snapshot' and holds_null",
        'KEY_CHANGE_WITHOUT_OLD_KEY': 'before_data is null'
            ~ ' and arrays_overlap(changed_columns, coalesce(configured_key_columns, message_key_columns))',
    }) }} as warnings
from validated
