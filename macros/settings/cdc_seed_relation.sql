{#- The relation of a configuration seed for questions that a run asks, which are no part of a model and so cannot `ref` it. -#}
{% macro cdc_seed_relation(name) -%}
    {%- set relations = [] -%}
    {%- for node in graph.nodes.values() if node.name == cdc_seed_name(name) and node.resource_type in ['seed', 'model', 'snapshot'] -%}
        {%- do relations.append(node.relation_name) -%}
    {%- endfor -%}
    {{ return(relations[0]) }}
{%- endmacro %}
