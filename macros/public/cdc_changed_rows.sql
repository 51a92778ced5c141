{#- The select of cdc_changes_between: rows of a history that differ at two times, which are SQL expressions. Without columns the history is
    cdc_row_versions, whose rows are JSON text. -#}
{% macro cdc_changed_rows(versions, times, where, columns) -%}
    {%- set of_table = ['database_name', 'schema_name', 'table_name'] if columns is none else [] %}
    with
    {%- for name, time in [('rows_before', times[0]), ('rows_after', times[1])] %}
    {{ name }} as (
        select
            vendor,
            source,
            {%- for column in of_table %}
            {{ column }},
            {%- endfor %}
            row_key,
            valid_from,
            valid_to,
            {%- if columns is none %}
            `row` as content
            {%- else %}
            struct({{ columns | join(', ') }}) as content
            {%- endif %}
        from {{ versions }} as versions
        where ({{ where }}) and {{ cdc_changelog.cdc_is_valid_at('versions', time) }}
    ),
    {%- endfor %}
    both as (
        select
            coalesce(rows_after.vendor, rows_before.vendor) as vendor,
            coalesce(rows_after.source, rows_before.source) as source,
            {%- for column in of_table %}
            coalesce(rows_after.{{ column }}, rows_before.{{ column }}) as {{ column }},
            {%- endfor %}
            coalesce(rows_after.row_key, rows_before.row_key) as row_key,
            case
                when rows_before.row_key is null then 'insert'
                when rows_after.row_key is null then 'delete'
                else 'update'
            end as change,
            -- When the row became what it is at the later time, as far as a time is known.
            coalesce(rows_after.valid_from, rows_before.valid_to) as changed_at,
            rows_before.content as row_before,
            rows_after.content as row_after
        from rows_before
        full outer join rows_after
            on
                rows_before.vendor = rows_after.vendor
                and rows_before.source = rows_after.source
                {%- for column in of_table %}
                and rows_before.{{ column }} <=> rows_after.{{ column }}
                {%- endfor %}
                and rows_before.row_key = rows_after.row_key
    ),
    compared as (
        select
            *,
            {%- if columns is none %}
            {{ cdc_changelog.cdc_json_fields('row_before') }} as fields_before,
            {{ cdc_changelog.cdc_json_fields('row_after') }} as fields_after,
            array_sort(filter(
                array_union(map_keys(fields_before), map_keys(fields_after)),
                name -> not (
                    try_element_at(fields_before, name) <=> try_element_at(fields_after, name)
                    and map_contains_key(fields_before, name) = map_contains_key(fields_after, name)
                )
            )) as changed_columns
            {%- else %}
            array_compact(array(
                {%- for column in columns %}
                case when not (row_before.{{ column }} <=> row_after.{{ column }}) then '{{ column }}' end
                {{- ',' if not loop.last }}
                {%- endfor %}
            )) as changed_columns
            {%- endif %}
        from both
    )
    select
        vendor,
        source,
        {%- for column in of_table %}
        {{ column }},
        {%- endfor %}
        row_key,
        change,
        changed_at,
        row_before,
        row_after,
        case when change = 'update' then changed_columns end as changed_columns
    from compared
    where
        change <> 'update'
        {%- if columns is none %}
        or not {{ cdc_changelog.cdc_same_row('row_before', 'row_after') }}
        {%- else %}
        or size(changed_columns) > 0
        {%- endif %}
{%- endmacro %}
