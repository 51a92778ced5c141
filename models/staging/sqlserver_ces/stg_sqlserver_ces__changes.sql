with parsed as (
    select
        *,
        {{ cdc_json_columns(
            'data', 'sent', 'eventsource map<string,string>, eventrow map<string,string>', has_numbers=false,
            objects=['$', '$.eventsource', '$.eventsource.transaction', '$.eventsource.pkkey[0]', '$.eventrow'],
            types={
                'eventsource': 'object', 'eventrow': 'object', 'eventsource.cols': 'list', 'eventsource.pkkey': 'list',
                'eventsource.transaction': 'object',
            }
        ) }}
    from {{ ref('stg_sqlserver_ces__events') }}
),

opened as (
    select
        *,
        sent.eventsource as eventsource,
        sent.eventrow as eventrow,
        from_json(eventsource['transaction'], 'commitlsn string, sequencenumber string') as transaction,
        from_json(eventsource['cols'], 'array<struct<name: string, index: int>>') as listed,
        from_json(eventsource['pkkey'], 'array<struct<columnname: string, value: string>>') as key_sent,
        {{ cdc_json_members({'old': "nullif(eventrow['old'], '')", 'current': "nullif(eventrow['current'], '')"}) }}
            as images_text,
        {{ cdc_json_columns(
            'images_text', 'images', 'old string, current string',
            objects=['$', '$.old', '$.current'], types={'old': 'object', 'current': 'object'}
        ) }}
    from parsed
),

fields as (
    select
        *,
        {{ sqlserver_ces_order("envelope['logicalid']", 'transaction') }} as place,
        nullif(eventsource['db'], '') as database_name,
        nullif(eventsource['schema'], '') as schema_name,
        nullif(eventsource['tbl'], '') as table_name,
        map('INS', 'insert', 'UPD', 'update', 'DEL', 'delete')[upper(envelope['operation'])] as operation,
        {{ cdc_utc_timestamp("envelope['time']") }} as committed_at,
        nullif({{ cdc_json_member('images', 'old') }}, '{}') as old_image,
        nullif({{ cdc_json_member('images', 'current') }}, '{}') as current_image,
        coalesce(size(array_except(listed.name, json_object_keys(old_image))) > 0, false) as old_is_short,
        coalesce(size(array_except(listed.name, json_object_keys(current_image))) > 0, false) as current_is_short,
        size(array_except(json_object_keys(old_image), key_sent.columnname)) = 0 as is_old_key_only,
        array_max(listed.index) <> size(listed) - 1 as has_gaps,
        {{ sqlserver_ces_metadata_columns(
            'envelope', 'eventsource', 'eventrow', 'segment_ids', 'event', 'sent_document', 'operation',
            'old_image', 'current_image'
        ) }}
    from opened
),

configured as (
    select
        fields.*,
        {{ cdc_settings_of('fields.source', 'fields.schema_name') }} as table_settings,
        coalesce(
            table_settings.replica_identity,
            if(fields.source in ({{ cdc_text_list(var('cdc_sources_with_full_images', [])) }}), 'full', 'unknown')
        ) as replica_identity,
        current_is_short and replica_identity = 'full' as is_completed,
        -- Of a table that is declared to send whole rows, a listed column that the row lacks is null.
        if(
            is_completed,
            concat(
                left(current_image, length(current_image) - 1),
                ',',
                array_join(
                    transform(
                        array_except(listed.name, json_object_keys(current_image)),
                        name -> concat({{ cdc_json_string('name') }}, ':null')
                    ),
                    ','
                ),
                '}'
            ),
            current_image
        ) as current_completed,
        table_settings.key_columns as configured_key,
        {{ sqlserver_ces_key_values('key_sent', 'configured_key') }} as key_values_found,
        if(size(key_sent) > 0 and not exists(key_values_found, found -> found is null), key_values_found, null)
            as key_values,
        if(
            operation = 'delete' and old_image is null and size(array_distinct(key_sent.columnname)) = size(key_values),
            to_json(map_from_arrays(key_sent.columnname, key_sent.value)), null
        ) as key_image
    from fields
    {{ cdc_table_settings_join("'sqlserver_ces'", 'fields.table_name') }}
),

validated as (
    select
        *,
        case
            when event is null then 'TOMBSTONE'
            when event rlike '^[\\[]\\s*[\\]]$' then 'EMPTY_ENVELOPE'
            when envelope is null then if({{ cdc_is_one_json_value('event') }}, 'WRONG_TYPE', 'NOT_JSON')
            when {{ cdc_has_repeated_keys('envelope') }} then 'DUPLICATE_KEYS'
            when coalesce(envelope['operation'], data) is null then 'NOT_A_CHANGE'
            when operation is null then 'UNKNOWN_OPERATION'
            when place is null then 'BAD_POSITION'
            when envelope['time'] is not null and committed_at is null then 'BAD_TIME'
            when segment = 'waiting' then 'MISSING_SEGMENT'
            when data is null then 'MISSING_IMAGE'
            when 'NOT_JSON' in (sent_problem, images_problem) then 'NOT_JSON'
            when size(array_except(json_object_keys(images_text), array('old', 'current'))) > 0 then 'NOT_JSON'
            when sent is null or coalesce(sent_wrong_types, images_wrong_types) is not null then 'WRONG_TYPE'
            when {{ sqlserver_ces_has_wrong_count('envelope') }} then 'WRONG_TYPE'
            when exists(key_sent, key_column -> key_column.columnname is null) then 'WRONG_TYPE'
            when coalesce(sent_problem, images_problem) is not null then 'DUPLICATE_KEYS'
            when table_name is null then 'MISSING_TABLE'
            when operation in ('insert', 'update') and current_image is null then 'MISSING_IMAGE'
            when operation = 'delete' and coalesce(old_image, key_values[0]) is null then 'MISSING_KEY_IMAGE'
        end as reason,
        reason is null and segment <> 'other' as is_change,
        {{ sqlserver_ces_after_image(
            'operation', 'current_is_short and not is_completed', 'replica_identity', 'has_gaps'
        ) }} as after_image,
        replica_identity <> 'default'
        and (operation = 'insert' or after_image = 'full' or operation = 'delete' and not has_gaps) as lists_all
    from configured
)

select
    {{ cdc_transport_columns() }},
    if(is_change, coalesce(joined_event, event), event) as event,
    if(reason is null and not is_change, 'segment', {{ cdc_status('reason') }}) as status,
    reason,
    {{ cdc_reason_detail(
        'reason', 'coalesce(sent_wrong_types, images_wrong_types)',
        "envelope['operation'] as operation, table_name, envelope['logicalid'] as logicalid, transaction"
    ) }} as reason_detail,
    -- A segment does not know its table: the identity is the logicalid alone, the table is part of the content.
    to_json(array(
        place.stream, if(place.stream is null, database_name, null), place.commit_lsn, place.sequence
    )) as vendor_identity,
    -- JSON texts hold no control characters, so that they can stand between them.
    array_join(
        if(is_change, array(to_json(array(database_name, schema_name, table_name)), old_image, current_image), null),
        '\u0001', ''
    ) as content_sent,
    database_name,
    schema_name,
    table_name,
    operation,
    if(size(key_sent) > 0, key_sent.columnname, null) as key_columns_sent,
    key_values as key_values_sent,
    if(
        operation = 'update' and old_image is null
        and exists(key_sent, k -> k.value <> from_json(current_image, 'map<string,string>')[k.columnname]),
        key_values, null
    ) as key_values_before_sent,
    if(is_change and operation <> 'insert', coalesce(old_image, key_image), null) as before,
    if(is_change and operation <> 'delete', current_completed, null) as after,
    {{ sqlserver_ces_before_image(
        'operation', 'coalesce(old_image, key_image)', 'coalesce(is_old_key_only, true)', 'old_is_short', 'after_image',
        'current_is_short', 'replica_identity', 'has_gaps'
    ) }} as before_image,
    after_image,
    -- A list that names more than the image holds names all columns of the table.
    if(is_change and after_image = 'partial' and current_is_short and replica_identity <> 'default', listed.name, null)
        as row_columns,
    concat(place.commit_lsn, '/', place.sequence) as position,
    committed_at,
    concat(left(place.commit_lsn, 8), ':', substr(place.commit_lsn, 9, 8), ':', right(place.commit_lsn, 4))
        as transaction_id,
    try_cast(place.sequence as bigint) as transaction_index,
    envelope['id'] as message_id,
    if(is_change and lists_all, md5(eventsource['cols']), null) as schema_id,
    if(is_change, metadata, null) as metadata,
    {{ cdc_warnings({
        'COLUMN_LISTED_BUT_ABSENT': 'current_is_short',
        'NUMBER_KEPT_AS_TEXT': 'images_has_number_as_text',
        'NEWER_PRODUCER': "envelope['type'] <> 'com.microsoft.SQL.CES.DML.V1' or envelope['specversion'] <> '1.0'",
    }) }} as warnings
from validated
