{{ config(
    materialized='table', file_format=cdc_work_format(),
    tags=['python_udf']
) }}

-- A table, because a view cannot call a Python function. Empty where nothing came by webhook.
with deliveries as (
    select
        value,
        {{ savegress_header('headers', 'x-savegress-signature') }} as signature
    from {{ cdc_new_messages('savegress') }} as messages
    where
        value is not null
        and exists(map_keys(headers), name -> lower(trim(name)) like 'x-savegress-%')
),

validated as (
    select
        sha2(value, 256) as body_sha256,
        signature,
        cdc_savegress_webhook_signature(value, signature) as verdict
    from deliveries
)

-- The verdict depends on nothing but the body and the header, so equal ones agree.
select
    body_sha256,
    signature,
    max(verdict) as verdict
from validated
group by body_sha256, signature
