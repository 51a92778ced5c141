{#- The value of a variable that is one of a few; the first of them where it is not set. -#}
{% macro cdc_choice(name, choices) -%}
    {%- set chosen = var(name, choices[0]) -%}
    {%- if chosen not in choices -%}
        {{ exceptions.raise_compiler_error('var ' ~ name ~ " is '" ~ chosen ~ "'; expected " ~ choices | join(' or ') ~ '.') }}
    {%- endif -%}
    {{ return(chosen) }}
{%- endmacro %}
