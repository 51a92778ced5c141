{#- The relation of a configuration seed: what the var cdc_configuration names in its place, else the seed of this package. -#}
{% macro cdc_seed(name) -%}
    {%- set configured = cdc_seed_name(name) -%}
    {{ return(ref(configured) if configured == name else ref(project_name, configured)) }}
{%- endmacro %}
