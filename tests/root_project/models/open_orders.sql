select
    id,
    total,
    is_gift
from {{ ref('orders') }}
where status = 'open'
