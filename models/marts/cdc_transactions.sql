select
    vendor,
    source,
    epoch,
    transaction_id,
    first_position,
    position,
    committed_at,
    changes,
    tables,
    is_complete
from {{ ref('int_transactions') }}
