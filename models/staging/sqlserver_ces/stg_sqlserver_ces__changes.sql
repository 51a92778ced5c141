{%- set whole_row_sources = cdc_sql_list(var('cdc_sources_with_full_images', [])) %}
-- Every event with its operation, and with the columns that its images hold.
with described as (
    select
        * except (old_image, current_image),
        -- An empty image is none.
        nullif(old_image, '{}') as old_image,
        nullif(current_image, '{}') as current_image,
        case upper(operation_sent)
            when 'INS' then 'insert'
            when 'UPD' then 'update'
            when 'DEL' then 'delete'
        end as operation,
        -- `<guid>:<commit LSN>:<sequence number>`
        logical_id rlike '^[^:]+:[0-9A-Fa-f]{20}:[0-9]{1,20}$' as is_logical_id,
        listed_columns.name as listed_names,
        json_object_keys(old_image) as old_columns,
        json_object_keys(current_image) as current_columns
    from {{ ref('stg_sqlserver_ces__fields') }}
),

-- Every event with the settings of its table.
configured as (
    select
        described.*,
        {{ cdc_settings_of('described.source', 'described.schema_name') }} as table_settings,
        table_settings.key_columns as configured_key_columns,
        coalesce(
            table_settings.replica_identity,
            if(described.source in ({{ whole_row_sources }}), 'full', 'unknown')
        ) as replica_identity
    from described
    {{ cdc_table_settings_join("'sqlserver_ces'", 'described.table_name') }}
),

-- Every event with its time, its place in the log and its key, and with its new row made whole.
keyed as (
    select
        *,
        {{ cdc_utc_timestamp('time_sent') }} as event_at,
        case when is_logical_id then lower(split_part(logical_id, ':', 1)) end as stream,
        upper(replace(transaction.commitlsn, ':', '')) as lsn_of_transaction,
        lpad(string(transaction.sequencenumber), 20, '0') as sequence_of_transaction,
        case
            when is_logical_id
                then upper(split_part(logical_id, ':', 2))
            when logical_id is null and transaction.commitlsn rlike '^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{4}$'
                then upper(replace(transaction.commitlsn, ':', ''))
        end as commit_lsn,
        case
            when is_logical_id
                then lpad(split_part(logical_id, ':', 3), 20, '0')
            when logical_id is null and transaction.sequencenumber >= 0
                then lpad(string(transaction.sequencenumber), 20, '0')
        end as sequence,
        -- An image that holds the listed columns in their order, as nearly all do, needs no closer look.
        case
            when old_columns = listed_names then false
            else coalesce(size(array_except(listed_names, old_columns)) > 0, false)
        end as is_old_short,
        case
            when current_columns = listed_names then false
            else coalesce(size(array_except(listed_names, current_columns)) > 0, false)
        end as is_current_short,
        size(array_except(old_columns, key_sent.columnname)) = 0 as is_old_key_only,
        -- The list of columns may be as short as the image: then its ordinals may have gaps.
        array_max(listed_columns.`index`) <> size(listed_columns) - 1 as has_gaps,
        -- Of a table that is declared to send whole rows, a listed column that the row lacks is null.
        is_current_short and replica_identity = 'full' as lacks_nulls,
        is_current_short and replica_identity <> 'full' as lacks_columns,
        -- In the order in which the columns are configured, else sent.
        case
            when size(key_sent) = 0 then null
            when configured_key_columns is null then key_sent.value
            else transform(
                configured_key_columns,
                name -> get(key_sent.value, cast(array_position(key_sent.columnname, name) as int) - 1)
            )
        end as key_values_found,
        case when not exists(key_values_found, found -> found is null) then key_values_found end as key_values,
        case
            when lacks_nulls
                then concat(
                    left(current_image, length(current_image) - 1),
                    ',',
                    array_join(
                        transform(
                            array_except(listed_names, current_columns),
                            name -> concat({{ cdc_json_string('name') }}, ':null')
                        ),
                        ','
                    ),
                    '}'
                )
            else current_image
        end as new_row,
        operation = 'update'
        and old_image is null
        -- A key that stands in the image character for character is the new one: only where it does not, is the image
        -- parsed.
        and exists(
            key_sent,
            key_part -> not coalesce(
                contains(current_image, concat('"', key_part.columnname, '":"', key_part.value, '"')),
                false
            )
            and key_part.value <> from_json(current_image, 'map<string,string>')[key_part.columnname]
        ) as has_old_key
    from configured
),

-- Every event with the reason why it is no change, null for a change; and with how much of a row its images hold.
validated as (
    select
        *,
        case
            when event is null then 'TOMBSTONE'
            when event rlike '^[\\[]\\s*[\\]]$' then 'EMPTY_ENVELOPE'
            when not is_json_object
                then if({{ cdc_is_one_json_value('event') }}, 'NOT_A_CHANGE', 'NOT_JSON')
            when coalesce(operation_sent, data) is null then 'NOT_A_CHANGE'
            when operation is null then 'UNKNOWN_OPERATION'
            when commit_lsn is null or sequence is null then 'BAD_POSITION'
            -- Where the two differ, nothing says which is wrong.
            when lsn_of_transaction <> commit_lsn or sequence_of_transaction <> sequence then 'BAD_POSITION'
            when event_at is null and time_sent is not null then 'BAD_TIME'
            when part = 'waiting' then 'MISSING_SEGMENT'
            when data is null then 'MISSING_IMAGE'
            when not is_data_object
                then if({{ cdc_is_one_json_value('data') }}, 'MISSING_IMAGE', 'NOT_JSON')
            when not are_images_json then 'NOT_JSON'
            when table_name is null then 'MISSING_TABLE'
            when operation in ('insert', 'update') and current_image is null then 'MISSING_IMAGE'
            when operation = 'delete' and old_image is null and get(key_values, 0) is null then 'MISSING_KEY_IMAGE'
        end as reason,
        case
            when operation <> 'delete' or old_image is not null then old_image
            -- Without old values a delete is named by its key.
            when
                size(array_distinct(key_sent.columnname)) = size(key_values)
                and not exists(key_sent, key_part -> key_part.columnname is null)
                then to_json(map_from_arrays(key_sent.columnname, key_sent.value))
        end as old_row,
        case
            when operation = 'delete' then 'none'
            when lacks_columns then 'partial'
            when operation = 'insert' or replica_identity = 'full' then 'full'
            when replica_identity = 'default' or has_gaps then 'partial'
            -- A list without a gap may name all columns or the first ones.
            else 'unknown'
        end as after_image,
        to_json(struct(
            specversion,
            event_type as `type`,
            event_source as source,
            content_type as datacontenttype,
            segment_index as segmentindex,
            is_final_segment as finalsegment,
            split_index as splitindex,
            split_count as splittotalcnt,
            segment_ids as segments,
            struct(
                listed_columns as cols,
                key_sent as pkkey,
                transaction
            ) as eventsource
        )) as metadata
    from keyed
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
    case
        when reason is null and part = 'other' then 'segment'
        else {{ cdc_status('reason') }}
    end as status,
    reason,
    case
        when reason is not null
            then to_json(struct(
                operation_sent as operation,
                table_name,
                logical_id as logicalid,
                transaction
            ))
    end as reason_detail,
    -- Another segment of the change that arrives later may change how it is joined.
    change_key as schema_scope,
    -- A segment does not know its table: the identity is the logicalid alone, the table is part of the content.
    {{ cdc_identity([
        'stream', 'if(stream is null, database_name, null)', 'commit_lsn', 'sequence',
    ]) }} as vendor_identity,
    case
        when part = 'waiting'
            then {{ cdc_content(['string(coalesce(segment_index, split_index))', 'to_json(array(data))']) }}
        else {{ cdc_content([
            'to_json(array(database_name, schema_name, table_name))', 'old_image', 'current_image',
        ]) }}
    end as content_sent,
    database_name,
    schema_name,
    table_name,
    operation,
    case when size(key_sent) > 0 then key_sent.columnname end as key_columns_sent,
    key_values as key_values_sent,
    case when has_old_key then key_values end as key_values_before_sent,
    case when operation <> 'insert' then old_row end as before,
    case when operation <> 'delete' then new_row end as after,
    case
        when operation = 'insert' or old_row is null then 'none'
        when coalesce(is_old_key_only, true) then 'key'
        when operation = 'update' and after_image = 'partial' and not is_current_short then 'changed'
        when operation = 'update' and after_image = 'unknown' then 'unknown'
        when is_old_short then 'partial'
        when replica_identity = 'default' or (replica_identity <> 'full' and has_gaps) then 'partial'
        else 'full'
    end as before_image,
    after_image,
    -- A list that names more than the image holds names all columns of the table.
    case
        when after_image = 'partial' and is_current_short and replica_identity <> 'default' then listed_names
    end as row_columns,
    concat(commit_lsn, '/', sequence) as position,
    event_at as committed_at,
    concat(left(commit_lsn, 8), ':', substr(commit_lsn, 9, 8), ':', right(commit_lsn, 4)) as transaction_id,
    try_cast(sequence as bigint) as transaction_index,
    message_id,
    -- The list names all columns of the table.
    case
        when
            replica_identity <> 'default'
            and (operation = 'insert' or after_image = 'full' or (operation = 'delete' and not has_gaps))
            then md5(to_json(listed_columns))
    end as schema_id,
    metadata,
    {{ cdc_warnings({
        'COLUMN_LISTED_BUT_ABSENT': 'is_current_short',
        'NUMBER_KEPT_AS_TEXT': 'has_number_as_text',
        'NEWER_PRODUCER': "event_type <> 'com.microsoft.SQL.CES.DML.V1' or specversion <> '1.0'",
    }) }} as warnings
from validated
