{#- A timestamp (UTC, microseconds) from ISO text, with or without zone; no zone means UTC (the server's session time zone
    is UTC). Null where the text is no time. It has to begin with a whole date: Spark would take today's for a text without. -#}
{% macro cdc_utc_timestamp(text) -%}
    case when {{ text }} like '____-__-__%' then try_cast({{ text }} as timestamp) end
{%- endmacro %}
