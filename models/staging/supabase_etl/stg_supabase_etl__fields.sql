{%- set columns = cdc_transport_columns()
    ~ ', table_index, event, wrapped_as, event_text, envelope_reason, has_number_as_text' %}
with events as (
    select {{ columns }}
    from {{ ref('stg_supabase_etl__events') }}
    {%- if not cdc_is_unit_test() %}
    union all
    select {{ columns }}
    from (
        select
            *, cast(null as int) as table_index, value as event, {{ supabase_etl_event_columns('value') }},
            cast(null as string) as envelope_reason, false as has_number_as_text
        from {{ cdc_stored_messages('supabase_etl') }} as stored_messages
    )
    {%- endif %}
),

parsed as (
    select
        *,
        {{ cdc_json_columns(
            'event_text', 'sent',
            '`type` string, start_lsn string, commit_lsn string, tx_ordinal string, `timestamp` string, xid string,'
            ~ ' flags string, end_lsn string, table_id string, table_schema string, replicated_table_schema string,'
            ~ ' options string, rel_ids string, truncated_tables string, copied_at string',
            objects=['$'],
            types={}
        ) }},
        coalesce(
            wrapped_as, if(lower(event) = '"unsupported"', 'unsupported', null),
            regexp_substr(lower(sent.`type`), '^(?:{{ supabase_etl_events() | join('|') }})$')
        ) as event_name,
        try_variant_get(sent_document, '$[0].updated_table_row') as updated_row,
        updated_row is not null and not is_variant_null(updated_row) as has_updated_row,
        if(has_updated_row, updated_row, try_variant_get(sent_document, '$[0].table_row')) as new_row,
        try_variant_get(sent_document, '$[0].old_table_row') as old_row_sent
    from events
),

rows_opened as (
    select
        *,
        -- The old row of 2025 is a pair: whether only its key means anything, and the row.
        case
            when
                schema_of_variant(try_variant_get(old_row_sent, '$[0]')) = 'BOOLEAN'
                and size(try_variant_get(old_row_sent, '$', 'array<variant>')) = 2
                then if(try_variant_get(old_row_sent, '$[0]', 'boolean'), 'padded', 'full')
        end as old_pair_kind,
        if(old_pair_kind is null, old_row_sent, try_variant_get(old_row_sent, '$[1]')) as old_row,
        {{ supabase_etl_row_columns('new', 'new_row') }},
        {{ supabase_etl_row_columns('old_row', 'old_row') }},
        coalesce(old_pair_kind, old_row_kind) as old_kind
    from parsed
),

fields as (
    select
        {{ cdc_transport_columns() }},
        table_index, event, wrapped_as, envelope_reason, event_text, sent_problem, sent, sent_document, event_name,
        has_number_as_text or sent_has_number_as_text as has_number_as_text,
        event_name is null
        and (sent.`type` is not null or event rlike '^[{]\\s*"[A-Za-z_]+"\\s*:\\s*[{][^{}]*[}]\\s*[}]$') as is_unknown,
        if(event_name = 'copy', null, {{ supabase_etl_position('sent') }}) as place,
        case when event_name in ('begin', 'commit') then {{ cdc_postgres_time('sent.`timestamp`') }} end as marked_at,
        {{ cdc_utc_timestamp('sent.copied_at') }} as copied_at,
        -- A truncate names its table in a list.
        coalesce(sent.truncated_tables, sent.rel_ids) as truncated_sent,
        if(event_name = 'truncate', from_json(truncated_sent, 'array<string>'), null) as truncated_tables,
        try_element_at(truncated_tables, 1) as truncated_table,
        coalesce(
            sent.table_schema, sent.replicated_table_schema,
            if(startswith(truncated_table, '{'), truncated_table, null)
        ) as schema_text,
        if(
            startswith(truncated_table, '{'),
            get_json_object(truncated_table, '$.id'), coalesce(truncated_table, sent.table_id)
        ) as table_id_sent,
        event_name in ('insert', 'update', 'delete', 'copy') as is_of_row,
        event_name in ('insert', 'update', 'copy') as writes_row,
        event_name = 'update' and sent.tx_ordinal is null and not has_updated_row as is_update_of_2025,
        new_row is not null and not is_variant_null(new_row) as has_new_row,
        new_cells, new_named, new_kind, to_json(new_content) as new_content,
        old_row_sent is not null and not is_variant_null(old_row_sent) as has_old_row,
        old_kind, old_row_cells as old_cells, old_row_named as old_named, to_json(old_row_content) as old_content,
        -- Not by a cast of VARIANT, which takes 0.5 for an index.
        from_json(
            if(new_kind = 'partial', to_json(new_unwrapped), null),
            'total_columns int, missing_column_indexes array<int>'
        ) as mask,
        mask.total_columns,
        mask.missing_column_indexes as missing_indexes,
        new_kind <=> 'partial' and not coalesce(
            mask.total_columns is not null and new_named is not null
            or size(new_cells) + size(missing_indexes) = mask.total_columns
            and size(array_distinct(missing_indexes)) = size(missing_indexes)
            and forall(missing_indexes, place -> place between 0 and mask.total_columns - 1),
            false
        ) as has_wrong_mask,
        nullif(concat_ws(
            ', ',
            case
                when sent is null then 'sent'
                when sent_document is null then 'a value that repeats a key or is nested too deep'
            end,
            if(table_id_sent not rlike '^[0-9]+$', 'table_id', null),
            if(
                event_name = 'truncate' and truncated_tables is null and truncated_sent is not null,
                'truncated_tables', null
            ),
            if(
                writes_row and has_new_row and (new_cells is null and new_named is null or new_kind = 'key'),
                'table_row', null
            ),
            -- An old row without names says which of its columns it holds.
            if(
                event_name in ('update', 'delete') and has_old_row
                and ((old_kind is null or old_row_cells is null) and old_row_named is null or old_kind = 'partial'),
                'old_table_row', null
            )
        ), '') as wrong_types
    from rows_opened
)

select
    * except (
        wrapped_as, envelope_reason, sent_problem, is_unknown, mask, has_wrong_mask, truncated_sent, truncated_tables
    ),
    case
        when envelope_reason is not null then envelope_reason
        when sent_problem = 'NOT_JSON' and wrapped_as is not null and {{ cdc_is_one_json_value('event') }}
            then 'NOT_A_CHANGE'
        when sent_problem is not null then sent_problem
        when event_name is null then if(is_unknown, 'UNKNOWN_OPERATION', 'NOT_A_CHANGE')
        when event_name = 'unsupported' then null
        when wrong_types is not null then 'WRONG_TYPE'
        when event_name <> 'copy' and place is null then 'BAD_POSITION'
        when event_name in ('begin', 'commit') then if(marked_at is null, 'BAD_TIME', null)
        when size(truncated_tables) = 0 then 'EMPTY_TRUNCATE'
        when schema_text is null and table_id_sent is null then 'MISSING_TABLE'
        when writes_row and not has_new_row then 'MISSING_IMAGE'
        when event_name = 'delete' and not has_old_row then 'MISSING_KEY_IMAGE'
        when has_wrong_mask then 'BAD_MASK'
        when event_name = 'copy' and copied_at is null and sent.copied_at is not null then 'BAD_TIME'
    end as problem
from fields
