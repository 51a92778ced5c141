{#- The schema of a model, as dbt has it while it runs; what it should be while dbt parses. -#}
{% macro cdc_schema_of(model_name, otherwise) -%}
    {%- set node = graph.nodes.get('model.cdc_changelog.' ~ model_name) if execute and graph is defined and graph.nodes else none -%}
    {{ return(node.schema if node else otherwise) }}
{%- endmacro %}
