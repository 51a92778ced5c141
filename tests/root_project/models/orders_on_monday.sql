select
    row_key,
    `row`
from {{ cdc_changelog.cdc_rows_as_of(time='2026-03-02 12:00:00', source='shop') }} as rows_then
