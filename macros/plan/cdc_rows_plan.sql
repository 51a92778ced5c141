{#- What the event store holds, found out once before rows are built: what no row needs is left out of the statements. -#}
{% macro cdc_rows_plan() -%}
    {%- set conditions = {
        'without_position': "position is null and (operation in ('insert', 'update', 'delete', 'snapshot', 'truncate')"
            ~ " or ends_table or size(ended_columns) > 0)",
        'key_changes': 'row_id_before is not null',
        'folding': "row_id_before is not null or (operation in ('insert', 'update', 'snapshot') and after_image <> 'full')",
        'table_events': "operation = 'truncate' or epoch > 0 or ends_table or size(ended_columns) > 0",
        'replaced': 'replaced_because is not null',
        'table_identities': 'table_identity is not null',
        'identified_ends': 'ends_table and table_identity is not null',
        'untimed_ends': '(ends_table or table_identity is not null) and coalesce(committed_at, snapshot_at) is null',
        'epochs': 'epoch > 0',
    } -%}
    {%- set of_table = 'vendor, source, database_name, schema_name, table_name, epoch' -%}
    {#- So many excluded events are written into the statements: the view that finds them would be planned at each place that leaves them out. -#}
    {%- set largest_list = 500 -%}
    {%- set names = conditions.keys() | list + ['excluded', 'replaces', 'ignored_columns', 'builds_all_rows'] -%}
    {%- if not cdc_is_in_a_run() or not cdc_working_table_exists('int_events') -%}
        {#- Nothing is known: nothing is left out, and every model that may be read is named. -#}
        {{ return(dict(
            dict.fromkeys(names, true),
            builds_all_rows=false, built_to=0, excluded_events=none, large_groups=cdc_calls_python(),
        )) }}
    {%- endif -%}
    {%- set has_versions = cdc_working_table_exists('int_row_versions') and not flags.FULL_REFRESH -%}
    {%- set query -%}
        with asked as (
            select
                {%- for name, condition in conditions.items() %} count_if({{ condition }}) > 0 as {{ name }},{% endfor %}
                {#- A table whose name another table of the source has taken since. -#}
                size(collect_set(if(table_identity is null, null, struct({{ of_table }}, table_identity))))
                > size(collect_set(if(table_identity is null, null, struct({{ of_table }})))) as names_taken_over,
                max(load_number) filter (where replaced_because is not null) as last_replacing_load,
                (select struct(min(load_number) as first, max(load_number) as last) from {work}.int_events) as loads,
                (
                    select array_sort(collect_list(struct(load_number, lines))) from (
                        select load_number, sort_array(collect_list(line) filter (where affects_marts_only)) as lines
                        from {work}.run_configuration
                        group by load_number
                    )
                ) as configurations,
                (
                    select sort_array(collect_list(struct(load_number, event_number))) from (
                        select load_number, event_number from {work}.int_excluded_events
                        limit {{ largest_list + 1 }}
                    )
                ) as excluded_events,
                {{ '(select coalesce(max(load_number), 0) from {work}.int_row_versions)' if has_versions else '0' }} as built_to
            from {work}.int_events
            where {{ conditions.values() | join(' or ') }}
        )
        select
            {%- for name in conditions if name not in ['table_events', 'identified_ends'] %}
            {{ name }},
            {%- endfor %}
            table_events or names_taken_over as table_events,
            identified_ends or names_taken_over as identified_ends,
            size(excluded_events) > 0 as excluded,
            to_json(excluded_events) as excluded_events,
            coalesce(last_replacing_load > built_to, false) as replaces,
            exists(try_element_at(configurations, -1).lines, line -> contains(line, '"history_ignored_columns"')) as ignored_columns,
            coalesce(loads.first > built_to or exists(
                configurations, configured -> configured.load_number > built_to and configured.lines
                <> try_element_at(filter(configurations, earlier -> earlier.load_number <= built_to), -1).lines
            ), true) as builds_all_rows,
            built_to,
            coalesce(loads.last > built_to, true) as has_new_loads
        from asked
    {%- endset -%}
    {%- set found = cdc_cached_query('rows plan', query) -%}
    {%- set excluded_events = fromjson(found['excluded_events'] or '[]') -%}
    {%- set plan = {
        'built_to': found['built_to'] | int,
        'excluded_events': excluded_events if excluded_events | length <= largest_list else none,
    } -%}
    {%- for name in names -%} {%- do plan.update({name: cdc_is_true(found[name])}) -%} {%- endfor -%}
    {%- if not (plan.builds_all_rows or cdc_is_true(found['has_new_loads']) or cdc_shows_whole_transactions()) -%}
        {%- do plan.update(dict.fromkeys(['without_position', 'key_changes', 'folding', 'table_events', 'ignored_columns'], false)) -%}
    {%- endif -%}
    {%- do plan.update({'large_groups': plan.folding and cdc_calls_python() and _cdc_has_large_groups(plan.key_changes)}) -%}
    {{ return(plan) }}
{%- endmacro %}

{#- Whether there may be a group of rows with more changes than an array should hold. Rows that a key change moves may be one group. -#}
{% macro _cdc_has_large_groups(has_key_changes) -%}
    {%- set of_table = 'vendor, source, database_name, schema_name, table_name' -%}
    {%- set query -%}
        with changes as (
            select
                {{ of_table }},
                {{ 'explode(array_compact(array(row_id, row_id_before)))' if has_key_changes else 'row_id' }} as row_id,
                row_id_before is not null as is_move
            from {work}.int_events
            where status = 'change' and row_id is not null
        ),
        rows_of_tables as (
            select {{ of_table }}, row_id, count(*) as changes, max(is_move) as is_moved
            from changes
            group by {{ of_table }}, row_id
        ),
        tables as (
            select max(changes) as of_one_row, sum(changes) filter (where is_moved) as of_moved_rows
            from rows_of_tables
            group by {{ of_table }}
        )
        select
            coalesce(max(greatest(of_one_row, of_moved_rows)) > {{ cdc_largest_array_of_changes() }}, false) as has_large_groups
        from tables
    {%- endset -%}
    {{ return(cdc_is_true(cdc_cached_query('large groups', query)['has_large_groups'])) }}
{%- endmacro %}
