{#- Which kinds of changes the event store holds, one dictionary, asked once per run: without_position, key_changes, folding (partial
    images or key changes), resets (truncates and epochs), replaced (events that no longer count), ignored_columns (of
    cdc_tables). What no row needs is left out of the statements; everything is wanted where nothing is known (parsing, docs). -#}
{% macro cdc_row_features() -%}
    {%- set conditions = {
        'without_position': "position is null and operation in ('insert', 'update', 'delete', 'snapshot', 'truncate')",
        'key_changes': 'row_id_before is not null',
        'folding': "row_id_before is not null or (operation in ('insert', 'update', 'snapshot') and after_image <> 'full')",
        'resets': "operation = 'truncate' or epoch > 0",
        'replaced': 'replaced_because is not null',
    } -%}
    {%- set names = conditions.keys() | list + ['ignored_columns'] -%}
    {%- if not cdc_is_in_a_run() or not _cdc_exists('int_events') -%}
        {{ return(dict.fromkeys(names, true)) }}
    {%- endif -%}
    {%- set key = 'cdc_row_features_' ~ invocation_id -%}
    {%- if key not in graph -%}
        {%- set work = var('cdc_work_schema', 'cdc_work') -%}
        {%- set columns = [] -%}
        {%- for condition in conditions.values() -%} {%- do columns.append('count_if(' ~ condition ~ ') > 0') -%} {%- endfor -%}
        {%- set found = run_query(
            'select ' ~ columns | join(', ')
            ~ ', (select count_if(exists(map_values(by_place), place -> size(place.history_ignored_columns) > 0)) > 0 from '
            ~ work ~ '.int_table_settings) from ' ~ work ~ '.int_events where ' ~ conditions.values() | join(' or ')
        ).rows[0] -%}
        {%- set features = {} -%}
        {%- for name in names -%} {%- do features.update({name: cdc_is_true(found[loop.index0])}) -%} {%- endfor -%}
        {%- do graph.update({key: features}) -%}
    {%- endif -%}
    {{ return(graph[key]) }}
{%- endmacro %}
