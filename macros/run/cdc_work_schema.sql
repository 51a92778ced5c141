{#- The schema of the working tables: where dbt has put the model int_events, whatever decided that. -#}
{% macro cdc_work_schema() -%}
    {{ return(_cdc_schema_of('int_events', var('cdc_work_schema', 'cdc_work'))) }}
{%- endmacro %}

{#- The schema of a model, as dbt has it while it runs; what it should be while dbt parses. -#}
{% macro _cdc_schema_of(model_name, otherwise) -%}
    {%- set node = graph.nodes.get('model.cdc_changelog.' ~ model_name) if execute and graph is defined and graph.nodes else none -%}
    {{ return(node.schema if node else otherwise) }}
{%- endmacro %}
