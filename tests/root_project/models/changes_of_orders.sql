select *
from {{ cdc_changelog.cdc_changes_between('orders', '2026-03-02', '2026-03-04', source='shop') }} as changes
