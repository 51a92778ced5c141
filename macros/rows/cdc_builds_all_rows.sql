{#- Whether a run builds the versions of all rows: where none are stored yet, with --full-refresh, where the event store was made anew
    since (a rebuild that was killed before it came to the versions), and where the configuration of the marts changed. -#}
{% macro cdc_builds_all_rows() -%}
    {%- if flags.FULL_REFRESH or not cdc_is_in_a_run() or not _cdc_exists('int_row_versions') -%} {{ return(true) }} {%- endif -%}
    {%- set built_to = cdc_versions_built_to() -%}
    {{ return(cdc_is_true(_cdc_asked_once(
        'select (select min(load_number) from {work}.int_events) > ' ~ built_to
        ~ " or count(distinct lines) > 1 from (select to_json(sort_array(collect_list(line) filter (where is_for_marts_alone))) as lines"
        ~ ' from {work}.int_configuration where load_number >= (select max(load_number) from {work}.int_configuration where load_number <= '
        ~ built_to ~ ') group by load_number)'
    ))) }}
{%- endmacro %}

{#- The load up to which row versions are built: their own watermark. -#}
{% macro cdc_versions_built_to() -%}
    {{ return(_cdc_asked_once('select coalesce(max(load_number), 0) from {work}.int_row_versions')) }}
{%- endmacro %}
