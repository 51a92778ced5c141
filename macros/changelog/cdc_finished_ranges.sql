{#- SQL condition that keeps a scan of a raw table away from partitions that were read long ago: landing_batch lies in no
    unbroken range of finished batches. It names the ranges as literals, so that their files are not even listed for reading;
    where there are too many ranges to name it is `true`, and the caller tells read from unread anyway. -#}
{% macro cdc_is_not_of_a_finished_range(vendor) -%}
    {%- set ranges = cdc_finished_ranges().get(vendor, []) -%}
    {{ return('true' if ranges | length > 200 or not ranges else 'not (' ~ ranges | join(' or ') ~ ')') }}
{%- endmacro %}

{#- The unbroken ranges of finished landing batches, as SQL conditions: {vendor: [condition, …]}. -#}
{% macro cdc_finished_ranges() -%}
    {%- set loads = adapter.get_relation(
        database=none, schema=var('cdc_work_schema', 'cdc_work'), identifier='cdc_loads')
        if execute and not cdc_is_rebuild() else none -%}
    {%- set ranges = {} -%}
    {%- if loads is none -%} {{ return(ranges) }} {%- endif -%}
    {%- set known = 'cdc_finished_ranges_' ~ invocation_id -%}
    {%- if known not in graph -%}
        {%- set found = run_query(
            'select vendor, min(finished_batch), max(finished_batch) from (select vendor, finished_batch, finished_batch - '
            ~ 'row_number() over (partition by vendor order by finished_batch asc) as island from (select distinct vendor, '
            ~ 'landing_batch as finished_batch from ' ~ loads ~ ' where vendor is not null)) group by vendor, island '
            ~ 'order by 1, 2') -%}
        {%- for row in found.rows -%}
            {%- do ranges.setdefault(row[0], []).append('landing_batch between ' ~ row[1] ~ ' and ' ~ row[2]) -%}
        {%- endfor -%}
        {%- do graph.update({known: ranges}) -%}
    {%- endif -%}
    {{ return(graph[known]) }}
{%- endmacro %}
