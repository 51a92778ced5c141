{#- How many events a raw message holds, counted from its body (column `value`) alone, apart from the models that read it. -#}
{% macro cdc_events_in_message(spec) -%}
    {%- if not spec.events_in_message -%} {{ return('1') }} {%- endif -%}
    case
        when {{ cdc_json_problem('value', ['$']) }} is not null then 1
        else greatest(1, coalesce({{ spec.events_in_message }}, 1))
    end
{%- endmacro %}
