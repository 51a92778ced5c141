{{
    config(
        materialized='cdc_table',
        cdc_write='append',
        full_refresh=false,
        post_hook="{{ cdc_withdraw_changes() }}",
    )
}}

-- The commit point of a run: once its row is here, the landing batches it names are read for good, and what the run
-- wrote into the logs counts.
-- depends_on: {{ ref('cdc_changelog') }}
-- depends_on: {{ ref('cdc_rejected_log') }}
-- depends_on: {{ ref('cdc_pending_log') }}
-- depends_on: {{ ref('cdc_load_accounts') }}
with finished as (
    select
        load_number,
        vendor,
        landing_batch,
        configuration
    from {{ ref('cdc_run_batches') }}
)

select * from finished
