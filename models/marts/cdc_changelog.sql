select {{ cdc_quoted_columns(cdc_changelog_columns()) }}
from {{ ref('int_changes') }}
