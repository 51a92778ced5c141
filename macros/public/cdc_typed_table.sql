{#- A source table with real columns: its live rows, or with history=true all versions of its rows. A model is this one call. -#}
{% macro cdc_typed_table(table_name, sources, columns, schema_name=none, history=false, allow_unseen=false) -%}
{%- if not sources or sources is string -%}
    {{ exceptions.raise_compiler_error(
        "cdc_typed_table: sources is '" ~ sources ~ "'; expected a list of the feeds' names, for example ['shop'].") }}
{%- endif -%}
{%- set is_of_table = 'table_name = ' ~ cdc_changelog.cdc_literal(table_name) ~ ' and source in (' ~ cdc_changelog.cdc_sql_list(sources) ~ ')'
    ~ (' and schema_name = ' ~ cdc_changelog.cdc_literal(schema_name) if schema_name else '') -%}
{%- do cdc_changelog.cdc_check_columns_seen(table_name, sources, columns, is_of_table) if not allow_unseen -%}
{%- set keys = ['vendor', 'source', 'row_key'] + (['version_number'] if history else []) %}
{%- set times = ['valid_from', 'valid_to', 'is_current', 'opened_by', 'closed_by'] if history else ['committed_at'] -%}
with table_rows as (
    select
        {{ (keys + times) | join(', ') }},
        {{ cdc_changelog.cdc_json_fields('`row`') }} as fields
    from {{ ref('cdc_changelog', 'cdc_row_versions' if history else 'cdc_current_rows') }}
    where {{ is_of_table }}{{ ' and not is_deleted' if not history }}
)

select
    {{ keys | join(', ') }},
    {%- for column in columns %}
    {{ cdc_changelog.cdc_typed_column(column.name, column.type) }} as `{{ column.get('as', column.name) | replace('`', '``') }}`,
    {%- endfor %}
    {{ times | join(', ') }},
    {{ cdc_changelog.cdc_cast_errors(columns) }} as cast_errors
from table_rows
{%- endmacro %}
