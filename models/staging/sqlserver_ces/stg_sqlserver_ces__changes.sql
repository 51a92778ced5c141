{%- set attributes = [
    'specversion', 'type', 'source', 'id', 'logicalid', 'time', 'datacontenttype', 'operation', 'segmentindex',
    'finalsegment', 'splitindex', 'splittotalcnt', 'data', 'segments',
] -%}
{%- set full_image_sources = var('cdc_sources_with_full_images', []) -%}
{%- set full_image_list = "'" ~ full_image_sources | join("', '") ~ "'" -%}

with messages as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        stored_event,
        element,
        joined_element,
        envelope,
        data,
        segment,
        segment_ids
    from {{ ref('stg_sqlserver_ces__messages') }}
),

-- data is a JSON text inside the message …
data_read as (
    select
        *,
        {{ sqlserver_ces_read('data', 'map<string,map<string,string>>') }} as data_result
    from messages
),

data_checked as (
    select
        *,
        {{ sqlserver_ces_is_whole('data_result') }} as is_data_read,
        -- A field beside eventsource and eventrow that is no object spoils the reading in one go.
        case
            when data is not null and not {{ sqlserver_ces_is_whole('data_result') }}
                then {{ sqlserver_ces_read('data', 'map<string,string>') }}
        end as data_texts_result
    from data_read
),

data_opened as (
    select
        *,
        case
            when is_data_read then data_result['read']
            when {{ sqlserver_ces_is_whole('data_texts_result') }}
                then transform_values(
                    data_texts_result['read'], (field, field_text) -> from_json(field_text, 'map<string,string>')
                )
        end as data_fields
    from data_checked
),

data_described as (
    select
        *,
        data_fields['eventsource'] as eventsource,
        data_fields['eventrow'] as eventrow,
        data_fields['eventsource']['transaction'] as transaction_text,
        coalesce(nullif(data_fields['eventrow']['old'], ''), 'null') as old_text,
        coalesce(nullif(data_fields['eventrow']['current'], ''), 'null') as current_text
    from data_opened
),

-- … and old and current are JSON texts inside data.
images_read as (
    select
        *,
        case
            when eventrow is not null
                then {{ sqlserver_ces_read(
                    "concat('{\"old\":', old_text, ',\"current\":', current_text, '}')",
                    'map<string,map<string,string>>'
                ) }}
        end as images_result,
        from_json(eventsource['cols'], 'array<struct<name: string, type: string, index: int>>') as listed_columns,
        from_json(eventsource['pkkey'], 'array<map<string,string>>') as key_told,
        from_json(transaction_text, 'map<string,string>') as transaction
    from data_described
),

images_opened as (
    select
        *,
        case when {{ sqlserver_ces_is_whole('images_result') }} then images_result['read'] end as images
    from images_read
),

images_as_text as (
    select
        *,
        to_json(images['old']) as old_as_text,
        to_json(images['current']) as current_as_text
    from images_opened
),

-- Values are strings, so no number can be bent on the way. A message that has other values all the same is read again
-- with its numbers guarded. Writing an image anew and comparing tells most of them apart at no cost.
values_compared as (
    select
        *,
        case
            when
                coalesce(old_as_text, 'null') = replace(replace(old_text, '": ', '":'), ', "', ',"')
                and coalesce(current_as_text, 'null') = replace(replace(current_text, '": ', '":'), ', "', ',"')
                then contains(concat(old_text, current_text), 'cdc-number:')
            else coalesce(concat(old_text, current_text) rlike '":\\s*[-0-9tf{\\[]|cdc-number:', false)
        end
        or coalesce(eventsource['pkkey'] rlike '"value":-?[0-9]+[.eE]', false) as has_other_than_strings
    from images_as_text
),

guarded as (
    select
        *,
        case
            when has_other_than_strings
                then from_json(
                    {{ cdc_guard_numbers('data') }}, 'eventsource map<string,string>, eventrow map<string,string>'
                )
        end as guarded_data
    from values_compared
),

guarded_images_read as (
    select
        *,
        case
            when has_other_than_strings
                then from_json(
                    concat(
                        '{"old":',
                        {{ cdc_guard_numbers("coalesce(nullif(guarded_data.eventrow['old'], ''), 'null')") }},
                        ',"current":',
                        {{ cdc_guard_numbers("coalesce(nullif(guarded_data.eventrow['current'], ''), 'null')") }},
                        '}'
                    ),
                    'map<string,string>'
                )
        end as guarded_images
    from guarded
),

typed as (
    select
        *,
        -- identity and order
        envelope['logicalid'] as logical_id_sent,
        case
            when envelope['logicalid'] rlike '^[^:]+:[0-9A-Fa-f]{20}:[0-9]{1,20}$'
                then split(envelope['logicalid'], ':')
        end as logical_id,
        case
            when transaction['commitlsn'] rlike '^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{4}$'
                then upper(replace(transaction['commitlsn'], ':', ''))
        end as transaction_lsn,
        case
            when transaction['sequencenumber'] rlike '^[0-9]{1,20}$'
                then lpad(transaction['sequencenumber'], 20, '0')
        end as transaction_sequence,
        -- where
        nullif(eventsource['db'], '') as database_name,
        nullif(eventsource['schema'], '') as schema_name,
        nullif(eventsource['tbl'], '') as table_name,
        -- what
        envelope['operation'] as operation_sent,
        case upper(envelope['operation'])
            when 'INS' then 'insert'
            when 'UPD' then 'update'
            when 'DEL' then 'delete'
        end as operation,
        -- images: an empty object stands for no image
        case when size(images['old']) > 0 then images['old'] end as old_values,
        case when size(images['current']) > 0 then images['current'] end as current_values,
        case
            when coalesce(size(images['old']), 0) < 1 then cast(null as string)
            when has_other_than_strings then guarded_images['old']
            else old_as_text
        end as old_guarded,
        case
            when coalesce(size(images['current']), 0) < 1 then cast(null as string)
            when has_other_than_strings then guarded_images['current']
            else current_as_text
        end as current_guarded,
        -- key
        case
            when not exists(key_told, key_column -> key_column['columnname'] is null)
                then transform(key_told, key_column -> key_column['columnname'])
        end as key_columns_told,
        case
            when guarded_data.eventsource['pkkey'] is not null
                then transform(
                    from_json(guarded_data.eventsource['pkkey'], 'array<map<string,string>>'),
                    key_column -> {{ cdc_unguarded("key_column['value']") }}
                )
            else transform(key_told, key_column -> key_column['value'])
        end as key_values_told,
        -- times
        envelope['time'] as time_sent,
        case
            when envelope['time'] rlike '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]'
                then {{ cdc_utc_timestamp("envelope['time']") }}
        end as committed_at
    from guarded_images_read
),

configured as (
    select
        typed.*,
        {{ cdc_table_setting('key_columns', 'typed.source', 'typed.schema_name') }} as key_columns_configured,
        coalesce(
            {{ cdc_table_setting('replica_identity', 'typed.source', 'typed.schema_name') }},
            {%- if full_image_sources %}
            case when typed.source in ({{ full_image_list }}) then 'full' end,
            {%- endif %}
            'unknown'
        ) as replica_identity
    from typed
    {{ cdc_table_settings_join("'sqlserver_ces'", 'typed.table_name') }}
),

measured as (
    select
        *,
        {{ cdc_restore_numbers('old_guarded') }} as old_image,
        {{ cdc_restore_numbers('current_guarded') }} as current_image,
        -- Without a logicalid the transaction tells the order; where both are there they have to agree.
        case
            when logical_id is not null then upper(logical_id[1])
            when logical_id_sent is null then transaction_lsn
        end as commit_lsn,
        case
            when logical_id is not null then lpad(logical_id[2], 20, '0')
            when logical_id_sent is null then transaction_sequence
        end as sequence,
        -- The key's values in the order in which its columns are known.
        case
            when size(key_columns_told) > 0
                then transform(
                    coalesce(key_columns_configured, key_columns_told),
                    column_name -> get(
                        key_values_told, cast(array_position(key_columns_told, column_name) as int) - 1
                    )
                )
        end as key_values,
        array_max(transform(listed_columns, listed -> listed.index)) <> size(listed_columns) - 1 as has_gaps,
        exists(
            listed_columns, listed -> not coalesce(map_contains_key(current_values, listed.name), true)
        ) as current_lacks_columns,
        exists(
            listed_columns, listed -> not coalesce(map_contains_key(old_values, listed.name), true)
        ) as old_lacks_columns,
        forall(map_keys(old_values), column_name -> array_contains(key_columns_told, column_name)) as is_old_key_only
    from configured
),

judged as (
    select
        *,
        case
            when element is null then 'TOMBSTONE'
            when envelope is null and {{ cdc_is_json('element') }} then 'WRONG_TYPE'
            when envelope is null then 'NOT_JSON'
            when {{ sqlserver_ces_has_repeats('envelope') }} then 'DUPLICATE_KEYS'
            when operation_sent is null and envelope['data'] is null then 'NOT_A_CHANGE'
            when operation is null then 'UNKNOWN_OPERATION'
            when logical_id_sent is not null and logical_id is null then 'BAD_POSITION'
            when time_sent is not null and committed_at is null then 'BAD_TIME'
            when segment = 'waiting' then 'MISSING_SEGMENT'
            when data is null then 'MISSING_IMAGE'
            when data_fields is null and not {{ cdc_is_json('data') }} then 'NOT_JSON'
            when {{ sqlserver_ces_wrong_types() }} not in ('', 'old, current') then 'WRONG_TYPE'
            when eventrow is not null and images is null
                then case
                    when {{ cdc_is_json('old_text') }} and {{ cdc_is_json('current_text') }} then 'WRONG_TYPE'
                    else 'NOT_JSON'
                end
            when
                {{ sqlserver_ces_has_repeats('data_fields') }}
                or {{ sqlserver_ces_has_repeats('eventsource') }}
                or {{ sqlserver_ces_has_repeats('eventrow') }}
                or {{ sqlserver_ces_has_repeats('transaction') }}
                or {{ sqlserver_ces_has_repeats('images') }}
                or {{ sqlserver_ces_has_repeats('old_values') }}
                or {{ sqlserver_ces_has_repeats('current_values') }}
                or exists(key_told, key_column -> {{ sqlserver_ces_has_repeats('key_column') }})
                then 'DUPLICATE_KEYS'
            when table_name is null then 'MISSING_TABLE'
            when
                commit_lsn is null
                or sequence is null
                or coalesce(transaction_lsn, transaction['commitlsn'], commit_lsn) <> commit_lsn
                or coalesce(transaction_sequence, transaction['sequencenumber'], sequence) <> sequence
                then 'BAD_POSITION'
            when operation in ('insert', 'update') and current_values is null then 'MISSING_IMAGE'
            when operation = 'delete' and old_values is null and coalesce(size(key_values), 0) < 1
                then 'MISSING_KEY_IMAGE'
        end as reason
    from measured
),

decided as (
    select
        *,
        case
            when reason is null and segment = 'other' then 'segment'
            when reason is null then 'change'
            when reason = 'TOMBSTONE' then 'ignored'
            when reason = 'MISSING_SEGMENT' then 'pending'
            else 'rejected'
        end as outcome,
        -- An insert holds the whole row. An update may hold the whole row or the key and what changed, and its list of
        -- columns shrinks with it: a gap in the ordinals gives a short list away, but a list without a gap may be whole
        -- or just the first columns. Taking a short image for whole would lose columns, so it stays unknown until
        -- somebody says how the table is streamed.
        case
            when operation = 'delete' then 'none'
            when current_lacks_columns then 'partial'
            when operation = 'insert' or replica_identity = 'full' then 'full'
            when replica_identity = 'default' or has_gaps then 'partial'
            else 'unknown'
        end as after_image
    from judged
),

final as (
    select
        -- the raw message
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        cast(null as int) as table_index,
        stored_event,
        case when outcome = 'change' then coalesce(joined_element, element) else element end as element,
        -- the decision
        outcome,
        reason,
        case when reason is not null then {{ sqlserver_ces_reason_detail() }} end as reason_detail,
        cast(null as string) as schema_scope,
        -- A segment does not know its table, so the identity is the logicalid alone; the table goes into the hash with
        -- the images.
        case
            when commit_lsn is not null and sequence is not null
                then concat_ws(
                    ':', coalesce(lower(logical_id[0]), concat('database ', database_name)), commit_lsn, sequence
                )
        end as vendor_identity,
        case
            when outcome = 'change'
                then concat_ws(
                    '\u0001', coalesce(database_name, ''), coalesce(schema_name, ''), table_name,
                    coalesce(old_image, ''), coalesce(current_image, '')
                )
        end as content_sent,
        -- where and what
        database_name,
        schema_name,
        table_name,
        operation,
        case when size(key_columns_told) > 0 then key_columns_told end as key_columns_sent,
        case when not exists(key_values, key_value -> key_value is null) then key_values end as key_values_sent,
        -- Whichever key pkkey holds: where old is missing and pkkey differs from the new row, pkkey is the old key.
        case
            when
                operation = 'update' and old_values is null
                and not exists(key_values, key_value -> key_value is null)
                and exists(
                    key_columns_told,
                    column_name -> try_element_at(current_values, column_name)
                    <> get(
                        key_values_told, cast(array_position(key_columns_told, column_name) as int) - 1
                    )
                )
                then key_values
        end as key_values_before_sent,
        -- images
        case when outcome = 'change' and operation <> 'insert' then old_image end as before,
        case when outcome = 'change' and operation <> 'delete' then current_image end as after,
        case
            when operation = 'insert' or old_values is null then 'none'
            when is_old_key_only then 'key'
            when operation = 'update' and after_image = 'partial' and not current_lacks_columns then 'changed'
            when operation = 'update' and after_image = 'unknown' then 'unknown'
            when old_lacks_columns then 'partial'
            when replica_identity = 'default' or (replica_identity <> 'full' and has_gaps) then 'partial'
            else 'full'
        end as before_image,
        after_image,
        cast(null as array<string>) as changed_columns,
        -- order and times
        concat(commit_lsn, '/', sequence) as position,
        committed_at,
        cast(null as timestamp) as snapshot_at,
        case
            when commit_lsn is not null
                then concat_ws(':', substr(commit_lsn, 1, 8), substr(commit_lsn, 9, 8), substr(commit_lsn, 17, 4))
        end as transaction_id,
        try_cast(sequence as bigint) as transaction_index,
        cast(null as boolean) as is_transaction_end,
        -- the rest
        envelope['id'] as message_id,
        case
            when
                outcome = 'change' and replica_identity <> 'default'
                and (operation = 'insert' or after_image = 'full' or (operation = 'delete' and not has_gaps))
                then md5(eventsource['cols'])
        end as schema_id,
        case when outcome = 'change' then {{ sqlserver_ces_metadata(attributes) }} end as metadata,
        array_compact(array(
            case when current_lacks_columns then 'COLUMN_LISTED_BUT_ABSENT' end,
            case
                when
                    has_other_than_strings
                    and {{ cdc_has_number_kept_as_text("concat_ws(' ', old_guarded, current_guarded)") }}
                    then 'NUMBER_KEPT_AS_TEXT'
            end,
            case
                when
                    envelope['type'] <> 'com.microsoft.SQL.CES.DML.V1' or envelope['specversion'] <> '1.0'
                    then 'NEWER_PRODUCER'
            end
        )) as warnings
    from decided
)

select * from final
