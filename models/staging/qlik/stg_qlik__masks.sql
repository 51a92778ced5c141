{{ config(
    materialized='table', file_format=cdc_work_format(), tags=['python_udf']
) }}
{%- set byte_order = cdc_choice('cdc_qlik_mask_byte_order', ['big', 'little']) %}

-- Masks are extracted from the raw text by a pattern. False matches are harmless: they only add rows that are not used.
with masks_by_message as (
    select distinct regexp_extract_all(value, 'Mask"\\s*:\\s*"?([0-9A-Fa-f]{1,4096})', 1) as masks
    from {{ cdc_messages('qlik') }}
),

-- Every mask once.
distinct_masks as (
    -- `outer`: without it Spark asks of every message first whether it has a mask.
    select distinct mask
    from masks_by_message
        lateral view outer explode(masks) taken_apart as mask
    where mask is not null
),

-- Every mask with the ordinals of the columns that it names.
decoded as (
    select
        mask,
        {%- if cdc_calls_python() %}
        cdc_qlik_mask_ordinals(mask, '{{ byte_order }}') as ordinals
        {%- else %}
        {{ qlik_mask_ordinals_in_sql('mask', byte_order) }} as ordinals
        {%- endif %}
    from distinct_masks
)

select
    mask,
    ordinals,
    size(ordinals) as ordinal_count,
    coalesce(array_max(ordinals), 0) as highest_ordinal,
    cast(ceil(length(mask) / 2) as int) as byte_count
from decoded
where ordinals is not null
