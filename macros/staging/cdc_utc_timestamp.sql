{#- A timestamp from ISO text that begins with a whole date (Spark would take today's for a text without); no zone means UTC. Null
    outside the years 1 to 9999, which clients cannot read: the first day is left out, and so is the last one in a zone behind UTC. -#}
{% macro cdc_utc_timestamp(text) -%}
    case
        when {{ text }} rlike '^(?!0000|0001-01-01|9999-12-31.*-[0-9:]+$)[0-9]{4}-[0-9]{2}-[0-9]{2}' then try_cast({{ text }} as timestamp)
    end
{%- endmacro %}
