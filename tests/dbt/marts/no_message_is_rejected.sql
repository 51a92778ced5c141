{{ config(enabled=var('cdc_fail_on_rejected', false) | as_bool) }}
{#- Rejected messages, one row per vendor, source and reason: for those who want a build to end red where there is
    one (S13). -#}
select
    vendor,
    source,
    reason,
    count(*) as messages
from {{ ref('cdc_rejected_messages') }}
group by vendor, source, reason
