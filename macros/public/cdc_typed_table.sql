{#- A source table with real columns, as a select: its live rows, or with history=true every version of its rows. A model is this one
    call; `dbt compile` shows the SQL.

        {{ cdc_typed_table(
            table_name='orders',
            sources=['shop'],
            columns=[{'name': 'id', 'type': 'bigint'}, {'name': 'total', 'type': 'decimal(38,9)'}],
        ) }}

    table_name: the table as the changelog names it.
    sources: the feeds to take it from; the same table of several feeds is kept apart by vendor and source.
    columns: list of {'name', 'type'}; a column that a row does not have is null. 'as' gives it another name, where the source's own
    is one of those that every typed table has.
    schema_name: where one feed has tables of one name in several schemas.
    history: versions instead of live rows.
    allow_unseen: a table or column that no row and no table schema has had stops the build, unless true. -#}
{% macro cdc_typed_table(table_name, sources, columns, schema_name=none, history=false, allow_unseen=false) -%}
{%- if not sources or sources is string -%}
    {{ exceptions.raise_compiler_error(
        "cdc_typed_table: sources is '" ~ sources ~ "'; expected a list of the feeds' names, for example ['shop'].") }}
{%- endif -%}
{%- set is_of_table = "table_name = '" ~ cdc_escaped(table_name) ~ "' and source in (" ~ cdc_text_list(sources) ~ ')'
    ~ (" and schema_name = '" ~ cdc_escaped(schema_name) ~ "'" if schema_name else '') -%}
{%- do cdc_refuse_unseen(table_name, sources, columns, is_of_table) if not allow_unseen -%}
{%- set keys = ['vendor', 'source', 'row_key'] + (['version_number'] if history else []) %}
{%- set times = ['valid_from', 'valid_to', 'is_current', 'opened_by', 'closed_by'] if history else ['committed_at'] -%}
with table_rows as (
    select
        {{ (keys + times) | join(', ') }},
        {{ cdc_json_fields('`row`') }} as fields
    from {{ ref('cdc_row_versions' if history else 'cdc_current_rows') }}
    where {{ is_of_table }}{{ ' and not is_deleted' if not history }}
)

select
    {{ keys | join(', ') }},
    {%- for column in columns %}
    {{ cdc_typed_column(column.name, column.type) }} as `{{ column.get('as', column.name) | replace('`', '``') }}`,
    {%- endfor %}
    {{ times | join(', ') }},
    {{ cdc_cast_errors(columns) }} as cast_errors
from table_rows
{%- endmacro %}
