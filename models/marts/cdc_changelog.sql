select {{ cdc_names(cdc_changelog_columns()) }}
from {{ ref('int_changes') }}
