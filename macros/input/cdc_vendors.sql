{#- The specs of all vendors by name: what the macros named cdc_vendor__<vendor> return, so that no list has to be kept. -#}
{% macro cdc_vendors() -%}
    {%- set specs = [] -%}
    {%- for macro_name in context['cdc_changelog'].keys() | sort if macro_name.startswith('cdc_vendor__') -%}
        {%- set spec = context['cdc_changelog'][macro_name]() -%}
        {%- do cdc_changelog.cdc_check_vendor_spec(spec, macro_name) -%}
        {%- do specs.append(spec) -%}
    {%- endfor -%}
    {{ return(specs) }}
{%- endmacro %}
