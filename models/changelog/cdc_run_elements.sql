{{ config(materialized='cdc_table', cdc_write='replace', file_format=cdc_work_format()) }}
{%- set active_vendors = cdc_active_vendors() %}

with elements as (
    {%- for spec in cdc_vendors() %}
    {%- set changes = ref(spec.changes_model) %}
    {%- if spec.name in active_vendors %}
    select
        '{{ spec.name }}' as vendor,
        {%- for column in cdc_element_columns() %}
        `{{ column.name }}`
        {%- if not loop.last %},{% endif %}
        {%- endfor %}
    from {{ changes }}
    union all
    {%- endif %}
    {%- endfor %}
    select
        cast(null as string) as vendor,
        {%- for column in cdc_element_columns() %}
        cast(null as {{ column.type }}) as `{{ column.name }}`
        {%- if not loop.last %},{% endif %}
        {%- endfor %}
    where false
),

configured as (
    select
        elements.*,
        coalesce(
            {{ cdc_table_setting('key_columns', 'elements.source', 'elements.schema_name') }},
            elements.key_columns_sent
        ) as key_columns,
        {{ cdc_epoch(
            'elements.source', 'elements.schema_name', 'elements.table_name',
            'coalesce(elements.committed_at, elements.snapshot_at)', 'elements.landing_batch'
        ) }} as epoch
    from elements
    {{ cdc_table_settings_join('elements.vendor', 'elements.table_name') }}
    {{ cdc_epoch_join('elements.vendor') }}
),

keyed as (
    select
        configured.*,
        case
            when operation in ('insert', 'update', 'snapshot')
                then {{ cdc_row_key_values('after', 'before', 'key_columns', 'key_values_sent') }}
            when operation = 'delete'
                then {{ cdc_row_key_values('before', 'after', 'key_columns', 'key_values_sent') }}
        end as key_values,
        case
            when operation = 'update' then {{ cdc_key_values_before() }}
        end as key_values_before
    from configured
),

placed as (
    select
        *,
        operation in ('insert', 'update', 'snapshot', 'delete') as has_row,
        case
            when outcome <> 'change' then outcome
            when operation not in ('insert', 'update', 'snapshot', 'delete') then outcome
            when key_values is null or size(key_values) = 0 then 'pending'
            -- Columns that arrive late may name another key: until then it waits, and is shown as rejected.
            when {{ cdc_holds_null('key_values') }} then if(reread_element is null, 'rejected', 'pending')
            else outcome
        end as placed_outcome
    from keyed
),

identified as (
    select
        *,
        case when placed_outcome = 'change' and has_row then to_json(key_values) end as row_key,
        case
            when
                placed_outcome = 'change' and has_row and key_values_before <> key_values
                and not {{ cdc_holds_null('key_values_before') }}
                then to_json(key_values_before)
        end as row_key_before,
        coalesce(content_sent, concat_ws('\u0003', before, after), element) as content,
        placed_outcome = 'change' or origin = 'again' as is_change_or_was_one
    from placed
),

final as (
    select
        monotonically_increasing_id() as element_id,
        vendor,
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        event_index,
        origin,
        case when placed_outcome in ('pending', 'rejected') then `timestamp` end as `timestamp`,
        case when placed_outcome in ('pending', 'rejected') then `key` end as `key`,
        case when placed_outcome in ('pending', 'rejected') then headers end as headers,
        case when placed_outcome in ('pending', 'rejected') then element end as element,
        placed_outcome as outcome,
        case
            when placed_outcome = outcome then reason
            when {{ cdc_holds_null('key_values') }} then 'NULL_KEY'
            else 'NO_KEY'
        end as reason,
        case
            when placed_outcome = outcome then reason_detail
            when {{ cdc_holds_null('key_values') }}
                then concat('A value of the key (', array_join(key_columns, ', ', '?'), ') is null or was not sent.')
            else concat('The key of table ', coalesce(table_name, '?'), ' is not known; name it in cdc_tables.')
        end as reason_detail,
        reread_element,
        case
            when is_change_or_was_one and vendor_identity is null
                then xxhash64(vendor, source, epoch, operation, content)
            {%- for spec in cdc_vendors() if spec.identity_holds_content %}
            when vendor_identity is not null and vendor = '{{ spec.name }}'
                then xxhash64(vendor, source, epoch, vendor_identity, content)
            {%- endfor %}
            when vendor_identity is not null then xxhash64(vendor, source, epoch, vendor_identity)
        end as identity_hash,
        case
            when is_change_or_was_one
                then {{ cdc_hash(
                    ['vendor', 'source', 'cast(epoch as string)', 'vendor_identity', 'operation', 'content']
                ) }}
        end as change_id,
        database_name,
        schema_name,
        table_name,
        operation,
        row_key,
        row_key_before,
        key_columns,
        case when row_key is not null then {{ cdc_row_id('row_key') }} end as row_id,
        case when row_key_before is not null then {{ cdc_row_id('row_key_before') }} end as row_id_before,
        before,
        after,
        before_image,
        after_image,
        changed_columns,
        epoch,
        position,
        committed_at,
        snapshot_at,
        transaction_id,
        transaction_index,
        is_transaction_end,
        message_id,
        schema_id,
        metadata,
        warnings
    from identified
)

select * from final
