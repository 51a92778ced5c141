{#- An event without the name that wraps it. VARIANT would lose the sign of a zero, unless it is written with an exponent. -#}
{% macro supabase_etl_unwrapped(event, wrapping) -%}
    {%- set text -%}
        if(
            {{ wrapping }} is null,
            {{ event }},
            substring({{ event }}, length({{ wrapping }}) + 1, length({{ event }}) - length({{ wrapping }}) - 1)
        )
    {%- endset -%}
    if(contains({{ event }}, '-0.0'), {{ cdc_negative_zeros_as_double(text) }}, {{ text }})
{%- endmacro %}
