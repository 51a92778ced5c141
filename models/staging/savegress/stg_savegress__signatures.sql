{{ config(
    materialized='table', file_format=cdc_work_format(),
    tags=['python_udf']
) }}
{%- set must_be_signed = 'source in (' ~ cdc_sql_list(var('cdc_savegress_signed_sources', [])) ~ ')' %}

-- A table, because a view cannot call a Python function. Empty where nothing came by webhook.
with deliveries as (
    select
        value,
        {{ savegress_delivery('source', 'value', 'headers', 'event_index') }} as delivery,
        {{ savegress_signature('headers') }} as signature,
        {{ must_be_signed }} as must_be_signed
    from {{ cdc_messages('savegress') }} as messages
    where value is not null
),

-- Every delivery by webhook, and what the server says of its signature.
validated as (
    select
        *,
        {%- if cdc_calls_python() %}
        cdc_savegress_webhook_signature(value, signature) as verdict
        {%- else %}
        'not_checked' as verdict
        {%- endif %}
    from deliveries
    where delivery is not null
),

-- The verdict depends on nothing but the body and the header, so equal ones agree.
distinct_deliveries as (
    select
        delivery,
        signature,
        max(verdict) as verdict,
        max(must_be_signed) as must_be_signed
    from validated
    group by delivery, signature
)

select
    delivery,
    signature,
    verdict,
    case
        when verdict = 'invalid' then 'BAD_SIGNATURE'
        when verdict = 'missing' and must_be_signed then 'SIGNATURE_MISSING'
        when verdict = 'not_checked' and must_be_signed
            then raise_error(
                {%- if cdc_calls_python() %}
                'The var cdc_savegress_signed_sources names a source, and the server has no secret to check signatures '
                || 'with: start it with CDC_SAVEGRESS_WEBHOOK_SECRET. Nothing was read.'
                {%- else %}
                'The var cdc_savegress_signed_sources names a source, and no signature is checked with '
                || 'cdc_functions_in: sql. Take the source out of the var, or call Python functions. Nothing was read.'
                {%- endif %}
            )
    end as reason
from distinct_deliveries
