{#- How many events a raw message holds, counted from its body alone, apart from the models that read it. What is not one JSON
    value, or an envelope that holds a key twice, is one, and rejected.
    spec: a vendor's spec; the body is the column `value`, blanks and byte order mark around it off. -#}
{% macro cdc_events_in_message(spec) -%}
    {%- if not spec.events_in_message -%} {{ return('1') }} {%- endif -%}
    case
        when {{ cdc_json_problem('value', ['$']) }} is not null then 1
        else greatest(1, coalesce({{ spec.events_in_message }}, 1))
    end
{%- endmacro %}
