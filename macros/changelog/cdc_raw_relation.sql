{#- The relation that holds one vendor's raw messages: what the var cdc_raw_tables names, else the vendor's source.
    A source that nobody has landed into yet is created empty when the run starts (cdc_prepare_schemas). A named relation
    that does not exist is stood in for by a typed relation without rows, so that the other vendors still build. -#}
{% macro cdc_raw_relation(vendor) -%}
    {%- set named = var('cdc_raw_tables', {}).get(vendor) -%}
    {%- if not named -%}
        {{ return(source('cdc_raw', vendor)) }}
    {%- endif -%}
    {%- set parts = named.split('.') -%}
    {%- if parts | length != 2 -%}
        {{ exceptions.raise_compiler_error(
            "var cdc_raw_tables names '" ~ named ~ "' for " ~ vendor ~ "; expected '<schema>.<relation>'.") }}
    {%- endif -%}
    {{ return(cdc_earlier(parts[0], parts[1], cdc_raw_columns())) }}
{%- endmacro %}
