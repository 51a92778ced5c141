{#- A timestamp from ISO text that begins with a whole date (Spark would take today's for a text without); no zone means UTC. -#}
{% macro cdc_utc_timestamp(text) -%}
    case when {{ text }} like '____-__-__%' then try_cast({{ text }} as timestamp) end
{%- endmacro %}
