{#- Whether a unit test is compiled: it brings all that it needs. -#}
{% macro cdc_is_unit_test() -%}
    {{ return(model is defined and model.resource_type == 'unit_test') }}
{%- endmacro %}
