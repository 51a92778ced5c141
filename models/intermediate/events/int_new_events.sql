{{ config(materialized='table', file_format=cdc_work_format()) }}
{%- set columns = cdc_parse_columns('vendor string') + cdc_staging_columns() %}
{%- set active_vendors = cdc_load_plan().active_vendors %}
-- depends_on: {{ ref('run_configuration') }}

with vendor_events as (
    {%- for spec in cdc_vendors() %}
    {%- set changes = ref(spec.changes_model) %}
    {%- if spec.name in active_vendors %}
    select
        '{{ spec.name }}' as vendor,
        {{ cdc_staging_columns_of(changes) }}
    from {{ changes }}
    union all
    select
        '{{ spec.name }}' as vendor,
        *
    from {{ cdc_unparsed_messages(spec.name) }} as unparsed_messages
    union all
    {%- endif %}
    {%- endfor %}
    select * from {{ cdc_no_rows(columns) }} as no_events
),

-- Every event with the key columns of its table and its epoch.
configured as (
    select
        vendor_events.*,
        coalesce(
            {{ cdc_settings_of('vendor_events.source', 'vendor_events.schema_name') }}.key_columns,
            vendor_events.key_columns_sent
        ) as key_columns,
        {{ cdc_epoch(
            'vendor_events.source',
            'vendor_events.schema_name',
            'vendor_events.table_name',
            'coalesce(vendor_events.committed_at, vendor_events.snapshot_at)',
            'vendor_events.landing_batch',
        ) }} as epoch
    from vendor_events
    {{ cdc_table_settings_join('vendor_events.vendor', 'vendor_events.table_name') }}
    {{ cdc_epoch_join('vendor_events.vendor') }}
),

-- Every event with the values of its key, after the change and before it.
keyed as (
    select
        configured.*,
        operation in ('insert', 'update', 'snapshot', 'delete') as is_row_event,
        to_json(array(vendor, source, database_name, schema_name, table_name)) as table_key,
        case
            when operation in ('insert', 'update', 'snapshot')
                then {{ cdc_row_key_values('after', 'before', 'key_columns', 'key_values_sent') }}
            when operation = 'delete'
                then {{ cdc_row_key_values('before', 'after', 'key_columns', 'key_values_sent') }}
        end as key_values,
        -- The key that an update found its row under. Key columns that the before image lacks did not change.
        case
            when operation <> 'update'
                then null
            when key_columns is null or coalesce(size(key_values_before_sent), 0) = size(key_columns)
                then key_values_before_sent
            when before is null or before = '{}'
                then null
            when exists(key_columns, column_name -> contains(before, concat('"', column_name, '":')))
                then {{ cdc_row_key_values('before', 'after', 'key_columns', 'key_values_sent') }}
        end as key_values_before
    from configured
),

-- Every event with its final status: a row change whose key is not known waits, and one whose key is null is rejected.
with_status as (
    select
        * except (status),
        case
            when status <> 'change' or not is_row_event then null
            when key_values is null or size(key_values) = 0 then 'NO_KEY'
            when {{ cdc_is_null_key('key_values') }} then 'NULL_KEY'
        end as key_problem,
        case
            when key_problem = 'NO_KEY' then 'pending'
            -- A late schema message may declare another key, so the event stays pending; the marts list it as rejected.
            when key_problem = 'NULL_KEY' then if(schema_scope is null, 'rejected', 'pending')
            else status
        end as status
    from keyed
),

-- Keep this projection small: Java does not compile a generated method above 8,000 bytes, and reading takes much
-- longer then. `test_plans.py` checks the size.
identified as (
    select
        *,
        status in ('pending', 'rejected') or schema_scope is not null as is_kept_as_sent,
        case when status = 'change' and is_row_event then to_json(key_values) end as row_key,
        case
            when
                status = 'change' and is_row_event and key_values_before <> key_values
                and not {{ cdc_is_null_key('key_values_before') }}
                then to_json(key_values_before)
        end as row_key_before,
        coalesce(content_sent, concat_ws('\u0003', before, after), event) as content
    from with_status
)

select
    identified.* except (
        event,
        reason,
        reason_detail,
        `key`,
        headers,
        vendor_identity,
        content_sent,
        content,
        key_columns_sent,
        key_values_sent,
        key_values_before_sent,
        key_values,
        key_values_before,
        key_problem,
        is_row_event,
        table_key,
        is_kept_as_sent,
        before,
        after,
        metadata
    ),
    -- What is no change, or a part of one, keeps nothing but its text; of a message that is too large the metadata
    -- finds it again.
    case when reason is null and status <> 'segment' then before end as before,
    case when reason is null and status <> 'segment' then after end as after,
    case
        when reason = 'TOO_LARGE' then metadata
        when reason is null and status <> 'segment' then metadata
    end as metadata,
    (select max(batches.load_number) from {{ ref('run_landing_batches') }} as batches) as load_number,
    monotonically_increasing_id() as event_number,
    case when is_kept_as_sent then `timestamp` end as message_timestamp,
    case when is_kept_as_sent then `key` end as message_key,
    case when is_kept_as_sent then headers end as headers,
    case when is_kept_as_sent then event end as event,
    coalesce(key_problem, reason) as reason,
    case
        when key_problem = 'NULL_KEY'
            then concat('The key (', array_join(key_columns, ', ', '?'), ') is null, or a part of it was not sent.')
        when key_problem = 'NO_KEY'
            then concat('The key of table ', coalesce(table_name, '?'), ' is not known; name it in cdc_tables.')
        else reason_detail
    end as reason_detail,
    -- A null adds nothing to this hash.
    case
        when status = 'change' or vendor_identity is not null
            then xxhash64(
                vendor,
                source,
                epoch,
                case when vendor_identity is null then operation end,
                vendor_identity,
                case
                    when vendor_identity is null or vendor in ({{ cdc_vendors_with('identity_holds_content', true) }})
                        then content
                end
            )
    end as identity_hash,
    -- Ids are 128 bits of the SHA-256 of a text. The lengths say where source and identity end: no content can imitate
    -- another identity.
    case
        when status in ('change', 'pending')
            then left(sha2(concat_ws(
                ',',
                vendor,
                epoch,
                operation,
                octet_length(source),
                coalesce(octet_length(vendor_identity), -1),
                source,
                vendor_identity,
                content
            ), 256), 32)
    end as change_id,
    -- Table and key are JSON lists, which say themselves where they end: no name can imitate another one.
    case when row_key is not null then left(sha2(concat(table_key, row_key), 256), 32) end as row_id,
    case
        when row_key_before is not null
            then left(sha2(concat(table_key, row_key_before), 256), 32)
    end as row_id_before
from identified
