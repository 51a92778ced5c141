{#- The vendors of this project: one spec per macro named cdc_vendor__<vendor>, found by walking the macros' names while
    dbt parses, so nobody keeps a list. Sorted by name. -#}
{% macro cdc_vendors() -%}
    {%- set specs = [] -%}
    {%- for macro_name in context['cdc_changelog'].keys() | sort if macro_name.startswith('cdc_vendor__') -%}
        {%- do specs.append(context['cdc_changelog'][macro_name]()) -%}
    {%- endfor -%}
    {{ return(specs) }}
{%- endmacro %}
