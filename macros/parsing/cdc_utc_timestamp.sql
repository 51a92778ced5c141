{#- A timestamp (UTC, microseconds) from ISO text, with or without zone; no zone means UTC (the server's session time zone
    is UTC). Null where the text is no time. -#}
{% macro cdc_utc_timestamp(text) -%}
    try_cast({{ text }} as timestamp)
{%- endmacro %}
