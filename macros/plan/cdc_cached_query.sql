{#- The first row that a question gives, asked once per run under its name: later the question may read other tables, such as those that
    the run has made since, and the answer stays. {work} in the query stands for the schema of working tables. -#}
{% macro cdc_cached_query(question, query) -%}
    {%- set key = question ~ ' ' ~ invocation_id -%}
    {%- if key not in graph -%}
        {%- do graph.update({key: run_query(query.replace('{work}', cdc_work_schema())).rows[0]}) -%}
    {%- endif -%}
    {{ return(graph[key]) }}
{%- endmacro %}
