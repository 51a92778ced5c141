{#- What the rows that this run makes ask for beyond one window over full images, one dictionary: folding (partial images, key
    changes), placing (events to be placed by their time), barriers (truncates, resets), ignoring (columns that open no
    version). What nothing asks for is left out of the statement. All of it where nothing is known yet. -#}
{% macro cdc_row_needs() -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    {%- set special_rows = adapter.get_relation(database=none, schema=work_schema, identifier='cdc_run_special_rows')
        if cdc_run_has_work() else none -%}
    {%- if special_rows is none -%}
        {{ return({'folding': true, 'placing': true, 'barriers': true, 'ignoring': true}) }}
    {%- endif -%}
    {#- Asked by two models, and the same for both. -#}
    {%- if 'cdc_row_needs' not in graph -%}
        {%- set found = run_query(
            'select coalesce(max(is_folded), false), coalesce(max(is_placed_by_time), false), '
            ~ '(select count(*) > 0 from ' ~ work_schema ~ '.cdc_table_barriers), '
            ~ '(select count_if(exists(map_values(by_place), place -> size(place.history_ignored_columns) > 0)) > 0 from '
            ~ work_schema ~ '.cdc_table_settings) from ' ~ special_rows).rows[0] -%}
        {%- do graph.update({'cdc_row_needs': {
            'folding': cdc_is_true(found[0]), 'placing': cdc_is_true(found[1]),
            'barriers': cdc_is_true(found[2]), 'ignoring': cdc_is_true(found[3]),
        }}) -%}
    {%- endif -%}
    {{ return(graph['cdc_row_needs']) }}
{%- endmacro %}
