{%- set only_last_load = var('cdc_fail_on_rejected', false) | string == 'last_load' -%}
{{ config(enabled=only_last_load or (var('cdc_fail_on_rejected', false) | as_bool)) }}
{#- Rejected messages, one row per vendor, source and reason: for those who want a build to end red where there is
    one (S13); with `last_load` where one is in the landing batches that the last load read. What cdc_excluded_events takes
    out was looked at already. -#}
select
    rejected.vendor,
    rejected.source,
    rejected.reason,
    count(*) as messages
from {{ ref('cdc_rejected_messages') }} as rejected
{%- if only_last_load %}
left semi join {{ ref('int_events') }} as last_load
    on
        rejected.vendor = last_load.vendor
        and rejected.landing_batch = last_load.landing_batch
        and last_load.load_number = (select max(events.load_number) from {{ ref('int_events') }} as events)
        and last_load.is_delivery
{%- endif %}
where rejected.reason <> 'EXCLUDED'
group by rejected.vendor, rejected.source, rejected.reason
