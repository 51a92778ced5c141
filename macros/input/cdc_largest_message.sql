{#- The largest body that is parsed, in bytes (var cdc_largest_message). -#}
{% macro cdc_largest_message() -%}
    {%- set bytes = var('cdc_largest_message', 4000000) -%}
    {%- if bytes is not number or bytes < 1000 -%}
        {{ exceptions.raise_compiler_error(
            "var cdc_largest_message is '" ~ bytes ~ "'; expected a number of bytes, at least 1000.") }}
    {%- endif -%}
    {{ return(bytes | int) }}
{%- endmacro %}
