{#- The digits of a number, or the text, of a field of an event: the guard of a long number taken off.
    text: SQL expression, a value of the event's map. -#}
{% macro supabase_etl_number(text) -%}
    replace({{ text }}, '\u0001cdc-number:', '')
{%- endmacro %}
