{{ config(
    materialized='table', file_format=cdc_work_format(), tags=['python_udf']
) }}

-- Masks are taken out of the raw text without parsing it: a message has one changeMask and one columnMask, so where its
-- text holds `Mask"` exactly twice, the quoted texts behind these two places are the masks (or, where a mask is null,
-- some other text, which the decoder refuses). Any other message is parsed.
with texts as (
    select
        value,
        substring_index(value, 'Mask"', -2) as from_first_mask,
        octet_length(substring_index(value, 'Mask"', 1)) + octet_length('Mask"')
        + octet_length(substring_index(value, 'Mask"', -2)) = octet_length(value) as has_two_masks
    from {{ ref('stg_qlik__messages') }}
),

texts_behind as (
    select
        value,
        substring_index(substring_index(from_first_mask, '"', 2), '"', -1) as first_text,
        substring_index(substring_index(substring_index(from_first_mask, 'Mask"', -1), '"', 2), '"', -1) as last_text,
        has_two_masks and not contains(from_first_mask, '\\') as is_certain
    from texts
),

masks_by_message as (
    select
        case
            when is_certain then array(first_text, last_text)
            else {{ qlik_masks_parsed('value') }}
        end as masks
    from texts_behind
),

-- Most messages of a table have the same pair, so pairs are counted together before they are taken apart.
pairs_of_masks as (
    select distinct masks
    from masks_by_message
),

-- `outer`: otherwise Spark asks of every message first whether it has a mask, and takes all texts apart twice.
distinct_masks as (
    select distinct mask
    from pairs_of_masks
        lateral view outer explode(masks) taken_apart as mask
    where length(mask) between 1 and 4096
),

decoded as (
    select
        mask,
        cdc_qlik_mask_ordinals(mask, '{{ qlik_mask_byte_order() }}') as ordinals
    from distinct_masks
),

described as (
    select
        mask,
        ordinals,
        size(ordinals) as ordinal_count,
        coalesce(array_max(ordinals), 0) as highest_ordinal,
        cast(ceil(length(mask) / 2) as int) as byte_count
    from decoded
    where ordinals is not null
)

select * from described
