{#- Whether the text of an event alone shows that it is no segment: it has the start of the data, and the end of its segments. -#}
{% macro sqlserver_ces_is_surely_whole(event) -%}
    coalesce(
        contains({{ event }}, '\\"eventsource\\"')
        and (
            contains({{ event }}, '"finalsegment":true')
            or contains({{ event }}, '"finalsegment": true')
            or contains({{ event }}, '"splittotalcnt":0,')
            or contains({{ event }}, '"splittotalcnt": 0,')
        ),
        false
    )
{%- endmacro %}
