{#- The names of landing batches for a message, at most ten. -#}
{% macro cdc_batch_names(batches) -%}
    {%- set names = [] -%}
    {%- for vendor, landing_batch in batches -%} {%- do names.append(vendor ~ ' ' ~ landing_batch) -%} {%- endfor -%}
    {{ names[:10] | join(', ') }}{{ ' and ' ~ (names | length - 10) ~ ' more' if names | length > 10 }}
{%- endmacro %}
