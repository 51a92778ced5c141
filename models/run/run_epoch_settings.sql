select
    trim(vendor) as vendor,
    trim(source) as source,
    coalesce(nullif(trim(schema_name), ''), '*') as schema_name,
    coalesce(nullif(trim(table_name), ''), '*') as table_name,
    epoch,
    starts_at,
    first_landing_batch,
    coalesce(resets_table, false) as resets_table
from {{ cdc_seed('cdc_epochs') }}
