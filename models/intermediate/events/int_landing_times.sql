-- When the batches that this run reads landed, as the ledger of landing has it: a fact about the batch, whichever run
-- reads it.
{%- set columns = cdc_parse_columns('vendor string; landing_batch bigint; state string; landed_at timestamp') %}
-- depends_on: {{ ref('stg_events_to_decode') }}

with batches_of_this_run as (
    select
        vendor,
        landing_batch
    from {{ ref('run_landing_batches') }}
    union
    select
        vendor,
        landing_batch
    from {{ ref('stg_events_to_decode') }}
)

select
    concat(ledger.vendor, '/', ledger.landing_batch) as batch,
    max(ledger.landed_at) as landed_at
from {{ cdc_landing_ledger() or cdc_no_rows(columns) }} as ledger
left semi join batches_of_this_run as batches
    on ledger.vendor = batches.vendor and ledger.landing_batch = batches.landing_batch
where ledger.state = 'landed'
group by ledger.vendor, ledger.landing_batch
