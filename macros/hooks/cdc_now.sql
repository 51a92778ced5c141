{#- Seconds since 1970. -#}
{% macro cdc_now() -%}
    {{ return(modules.datetime.datetime.now(modules.pytz.utc).timestamp()) }}
{%- endmacro %}
