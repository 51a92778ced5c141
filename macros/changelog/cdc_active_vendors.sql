{#- Names of the vendors that this run has something to read of: new landing batches, or messages that wait. Everything that
    is specific to the others is left out of the run's statements, so that a run's cost follows what came in.
    While dbt parses, and before cdc_run_batches exists, all vendors. -#}
{% macro cdc_active_vendors() -%}
    {%- set names = [] -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    {%- set batches = adapter.get_relation(database=none, schema=work_schema, identifier='cdc_run_batches')
        if execute else none -%}
    {%- if batches is none -%}
        {%- for spec in cdc_vendors() -%} {%- do names.append(spec.name) -%} {%- endfor -%}
        {{ return(names) }}
    {%- endif -%}
    {%- set pending = adapter.get_relation(database=none, schema=work_schema, identifier='cdc_pending_log') -%}
    {%- set found = run_query(
        'select distinct vendor from ' ~ batches ~ ' where vendor is not null'
        ~ (' union select distinct vendor from ' ~ pending if pending else '')) -%}
    {%- for row in found.rows -%} {%- do names.append(row[0]) -%} {%- endfor -%}
    {{ return(names) }}
{%- endmacro %}
