{#- What changed in a table between two times, a select for a `from`: one row per row of the table that was inserted, updated or deleted,
    with how it was and how it is. What came and went in between is not shown. -#}
{% macro cdc_changes_between(table_name, from_time, to_time, source=none, schema_name=none, versions=none, columns=none) -%}
    {%- if (versions is none) != (columns is none) -%}
        {{ exceptions.raise_compiler_error(
            'cdc_changes_between: versions (a typed history) and columns (the names of its columns to compare) go together.') }}
    {%- endif -%}
    {%- set where = ['true'] -%}
    {%- if versions is none -%}
        {%- do where.append('table_name = ' ~ cdc_changelog.cdc_literal(table_name)) -%}
        {%- do where.append('schema_name = ' ~ cdc_changelog.cdc_literal(schema_name)) if schema_name is not none -%}
    {%- endif -%}
    {%- do where.append('source = ' ~ cdc_changelog.cdc_literal(source)) if source is not none -%}
    (
        {{ cdc_changelog.cdc_changed_rows(
            versions or ref('cdc_changelog', 'cdc_row_versions'),
            ['timestamp ' ~ cdc_changelog.cdc_literal(from_time), 'timestamp ' ~ cdc_changelog.cdc_literal(to_time)],
            where | join(' and '),
            columns,
        ) }}
    )
{%- endmacro %}
