{#- The name that cdc_rows_as_of had first; models that use it go on. -#}
{% macro rows_as_of() -%}
    {{ cdc_changelog.cdc_rows_as_of(*varargs, **kwargs) }}
{%- endmacro %}
