select *
from {{ cdc_changelog.cdc_changes_between(
    none, '2026-03-02', '2026-03-04', versions=ref('orders_history'), columns=['status']
) }} as changes
