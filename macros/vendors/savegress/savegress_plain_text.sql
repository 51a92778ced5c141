{#- A scalar field as plain text: a long number without the guard that cdc_body put around it. -#}
{% macro savegress_plain_text(field) -%}
    replace({{ field }}, '\u0001cdc-number:', '')
{%- endmacro %}
