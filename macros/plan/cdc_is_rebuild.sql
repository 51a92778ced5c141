{#- Whether this run decodes all raw messages again and replaces everything (var cdc_rebuild). -#}
{% macro cdc_is_rebuild() -%}
    {{ return(var('cdc_rebuild', false) | as_bool) }}
{%- endmacro %}
