{#- What there is to look for beyond the rows that new changes name, one dictionary: whole_tables (a truncate, a change of a
    later epoch, or a truncate without a position, which a change may move) and connections (rows that key changes connect);
    and applied_load_number, up to which the states are made (-1: not known, or changes before it count too). All of it where
    nothing is known yet. -#}
{% macro cdc_touching_needs() -%}
    {%- set changelog = adapter.get_relation(database=none, schema=var('cdc_schema', 'cdc'), identifier='cdc_changelog')
        if cdc_run_has_work() else none -%}
    {%- if changelog is none or cdc_shows_whole_transactions() -%}
        {{ return({'whole_tables': true, 'connections': true, 'applied_load_number': -1}) }}
    {%- endif -%}
    {%- set applied = cdc_run_notes().applied_load_number -%}
    {%- if not cdc_log_features().barriers and not cdc_log_features().key_changes -%}
        {{ return({'whole_tables': false, 'connections': false, 'applied_load_number': applied}) }}
    {%- endif -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    {%- set found = run_query(
        "select count_if(operation = 'truncate' or epoch > 0) > 0, "
        ~ '(select count(*) > 0 from ' ~ work_schema ~ '.cdc_table_barriers '
        ~ "where exists(barriers, barrier -> barrier.kind = 'truncate' and barrier.position is null)), "
        ~ '(select count(*) > 0 from ' ~ work_schema ~ '.cdc_connected_rows) '
        ~ 'from ' ~ changelog ~ ' where load_number > ' ~ applied).rows[0] -%}
    {{ return({
        'whole_tables': cdc_is_true(found[0]) or cdc_is_true(found[1]), 'connections': cdc_is_true(found[2]),
        'applied_load_number': applied,
    }) }}
{%- endmacro %}
