{#- The batches of the log as they are now, one row each: how many runs died since it was last to be tried again, whether one of them read
    nothing else, and whether it is set aside. A batch is left out once two runs have died at it, one of them alone with it. -#}
{% macro cdc_batch_states() -%}
    (
        select
            log.vendor,
            log.landing_batch,
            count_if(log.event = 'died') as runs_that_died,
            count_if(log.event = 'died') >= 2 and max(log.event = 'died' and log.batches = 1) as is_left_out,
            max(log.event = 'set aside') as is_set_aside
        from {{ cdc_batch_log() }} as log
        left join (
            select vendor, landing_batch, max(noted_at) as decided_at
            from {{ cdc_batch_log() }}
            where event = 'try again'
            group by vendor, landing_batch
        ) as decisions
            on log.vendor = decisions.vendor and log.landing_batch = decisions.landing_batch
        where decisions.decided_at is null or log.noted_at > decisions.decided_at
        group by log.vendor, log.landing_batch
    )
{%- endmacro %}
