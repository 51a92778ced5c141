{#- A message body ready to be parsed: byte order mark and surrounding blanks off, long numbers guarded.
    value: SQL expression of a raw body or of JSON text found inside one. -#}
{% macro cdc_body(value) -%}
    {{ cdc_guard_numbers(cdc_trimmed(value)) }}
{%- endmacro %}

{#- A message body without byte order mark and surrounding blanks. value: SQL expression. -#}
{% macro cdc_trimmed(value) -%}
    trim(both ' \t\n\r\ufeff' from {{ value }})
{%- endmacro %}
