{#- Why the body of a raw message, relation `raw`, is never parsed: a reason code, or null. -#}
{% macro cdc_message_problem() -%}
    case
        when octet_length(raw.value) > {{ cdc_largest_message() }} then 'TOO_LARGE'
        when try_element_at(raw.headers, 'cdc-problem') = 'the body is not UTF-8' then 'NOT_UTF8'
    end
{%- endmacro %}
