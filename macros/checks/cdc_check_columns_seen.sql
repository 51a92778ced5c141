{#- Stops the build of a typed table where a column, or the whole table, was in no row and no table schema; names the nearest. -#}
{% macro cdc_check_columns_seen(table_name, sources, columns, is_of_table) -%}
    {%- if execute and not cdc_changelog.cdc_is_in_a_run() -%} {{ return('') }} {%- endif -%}
    {%- set versions, schemas = ref('cdc_changelog', 'cdc_row_versions'), ref('cdc_changelog', 'cdc_table_schemas') -%}
    {%- if not execute -%} {{ return('') }} {%- endif -%}
    {%- set wanted = cdc_changelog.cdc_sql_list(columns | map(attribute='name')) -%}
    {%- set all_rows = '(select `row` from ' ~ versions ~ ' where ' ~ is_of_table -%}
    {%- set asked = [] -%}
    {#- Most columns are in the first rows: all rows are asked for only where one is not. -#}
    {%- for rows in [all_rows ~ ' limit 1000)', all_rows ~ ')'] -%}
        {%- do asked.insert(0, run_query(
            'with seen as (select explode(json_object_keys(`row`)) as name from ' ~ rows ~ ' union select explode(columns.name) from '
            ~ schemas ~ ' where columns_from = "messages" and ' ~ is_of_table ~ ') select concat(wanted.name, " (nearest: ", ' ~ cdc_changelog._cdc_nearest('wanted.name', 'seen.name')
            ~ ', ")"), max(seen.name) from (select explode(array(' ~ wanted ~ ')) as name) as wanted left join seen on true '
            ~ "where wanted.name <> '' group by wanted.name having not coalesce(bool_or(seen.name = wanted.name), false) order by 1"
        ).rows) if not asked or asked[0] -%}
    {%- endfor -%}
    {%- if asked[0] and asked[0][0][1] -%}
        {%- set problem = 'no row and no table schema of ' ~ table_name ~ ' has ' ~ asked[0] | map(attribute=0) | join(', ') -%}
    {%- elif asked[0] -%}
        {%- set nearest = cdc_changelog._cdc_nearest(cdc_changelog.cdc_literal(sources[0] ~ '.' ~ table_name), "concat(source, '.', table_name)") -%}
        {%- set problem = 'no row of table ' ~ table_name ~ ' came from ' ~ sources | join(', ') ~ ' (nearest: '
            ~ (run_query('select ' ~ nearest ~ ' from ' ~ versions).rows[0][0] or 'none: no table has rows') ~ ')' -%}
    {%- endif -%}
    {%- if problem -%}
        {{ exceptions.raise_compiler_error(
            'cdc_typed_table: ' ~ problem ~ '. Names are case-sensitive, as the source sends them. Fix the name, or set allow_unseen=true if the column will appear later.') }}
    {%- endif -%}
{%- endmacro %}

{#- The three texts of a group that are most like another. -#}
{% macro _cdc_nearest(wanted, seen) -%}
    concat_ws(', ', slice(
        array_sort(collect_set(struct(levenshtein(lower({{ wanted }}), lower({{ seen }})) as distance, {{ seen }} as name))), 1, 3
    ).name)
{%- endmacro %}
