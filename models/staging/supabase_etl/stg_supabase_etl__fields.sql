-- Every new event and every stored event that is read again.
with events as (
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
        table_index,
        event,
        wrapped_as,
        event_text,
        envelope_reason,
        has_number_as_text
    from {{ ref('stg_supabase_etl__events') }}
    {%- if not cdc_is_unit_test() %}
    union all
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
        cast(null as int) as table_index,
        value as event,
        lower(regexp_extract({{ supabase_etl_wrapping('value') }}, '[A-Za-z]+', 0)) as wrapped_as,
        {{ supabase_etl_unwrapped('value', supabase_etl_wrapping('value')) }} as event_text,
        cast(null as string) as envelope_reason,
        false as has_number_as_text
    from {{ cdc_messages_to_decode('supabase_etl') }} as stored_messages
    {%- endif %}
),

-- Every event, in which each number that VARIANT cannot hold is a string.
with_safe_text as (
    select
        *,
        if(
            {{ cdc_may_hold_long_numbers('event_text') }},
            {{ cdc_long_numbers_as_text('event_text') }},
            event_text
        ) as safe_text
    from events
),

-- Every event, parsed once, its rows as VARIANT, in which numbers are as they were sent. Inside a list, text before or
-- behind the event is a syntax error, or takes away the null that ends the list.
parsed as (
    select
        *,
        from_json(
            concat('[', safe_text, ',null]'),
            'array<struct<
                `type`: string,
                start_lsn: string,
                commit_lsn: string,
                tx_ordinal: string,
                `timestamp`: string,
                xid: string,
                flags: string,
                end_lsn: string,
                table_id: string,
                table_schema: string,
                replicated_table_schema: string,
                options: string,
                rel_ids: string,
                truncated_tables: string,
                copied_at: string,
                table_row: variant,
                updated_table_row: variant,
                old_table_row: variant
            >>',
            {{ cdc_strict_json() }}
        ) as messages
    from with_safe_text
),

-- Every event, its rows as they were sent. A null beside the field of the other generation says nothing.
opened as (
    select
        * except (messages),
        size(messages) = 2 as is_one_value,
        get(messages, 0) as message,
        message.updated_table_row is not null and not is_variant_null(message.updated_table_row) as has_updated_row,
        if(has_updated_row, message.updated_table_row, message.table_row) as new_row,
        -- The old row of 2025 is a pair: whether only its key means anything, and the row.
        case
            when
                schema_of_variant(try_variant_get(message.old_table_row, '$[0]')) = 'BOOLEAN'
                and size(try_variant_get(message.old_table_row, '$', 'array<variant>')) = 2
                then if(try_variant_get(message.old_table_row, '$[0]', 'boolean'), 'padded', 'full')
        end as old_row_form,
        if(
            old_row_form is null,
            message.old_table_row,
            try_variant_get(message.old_table_row, '$[1]')
        ) as old_row
    from parsed
),

-- Every event, its name, and its rows by place (cells) or by name, without what wraps them.
with_rows as (
    select
        *,
        try_variant_get(new_row, '$', 'map<string,variant>') as new_members,
        {{ supabase_etl_row_kind('new_row', 'new_members') }} as new_kind,
        {{ supabase_etl_row_content('new_row', 'new_members', 'new_kind') }} as new_content,
        try_variant_get(new_content, '$', 'array<variant>') as new_cells,
        try_variant_get(new_content, '$', 'map<string,variant>') as new_named,
        try_variant_get(old_row, '$', 'map<string,variant>') as old_members,
        {{ supabase_etl_row_kind('old_row', 'old_members') }} as old_row_kind,
        {{ supabase_etl_row_content('old_row', 'old_members', 'old_row_kind') }} as old_content,
        try_variant_get(old_content, '$', 'array<variant>') as old_cells,
        try_variant_get(old_content, '$', 'map<string,variant>') as old_named,
        coalesce(message is not null and is_one_value and endswith(event_text, '}'), false) as is_json_object,
        coalesce(
            wrapped_as,
            if(lower(event) = '"unsupported"', 'unsupported', null),
            regexp_substr(lower(message.`type`), '^(?:{{ supabase_etl_events() | join('|') }})$')
        ) as event_name,
        -- Which columns a partial row lacks. Not by a cast of VARIANT, which takes 0.5 for an index.
        case
            when new_kind = 'partial'
                then from_json(
                    to_json({{ supabase_etl_unwrapped_row('new_row', 'new_members', 'new_kind') }}),
                    'total_columns int, missing_column_indexes array<int>'
                )
        end as mask
    from opened
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
    table_index,
    event,
    envelope_reason,
    has_number_as_text or event_text <> safe_text as has_number_as_text,
    is_json_object,
    wrapped_as,
    event_name,
    message.`type` as type_sent,
    message.start_lsn,
    message.commit_lsn,
    message.tx_ordinal,
    message.`timestamp` as time_sent,
    message.xid,
    message.flags,
    message.end_lsn,
    message.options,
    message.copied_at as copied_at_sent,
    coalesce(message.table_schema, message.replicated_table_schema) as schema_sent,
    message.table_id as table_id_sent,
    coalesce(message.truncated_tables, message.rel_ids) as truncated_sent,
    has_updated_row,
    new_row is not null and not is_variant_null(new_row) as has_new_row,
    new_kind,
    new_cells,
    new_named,
    to_json(new_content) as new_content,
    message.old_table_row is not null and not is_variant_null(message.old_table_row) as has_old_row,
    coalesce(old_row_form, old_row_kind) as old_kind,
    old_cells,
    old_named,
    to_json(old_content) as old_content,
    mask.total_columns,
    mask.missing_column_indexes as missing_indexes
from with_rows
