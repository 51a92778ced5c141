{#- Whether a version of a row was the row at a time: a condition on valid_from, valid_to and is_current. -#}
{% macro cdc_is_valid_at(versions, time) -%}
    {{ versions }}.valid_from <= {{ time }}
    and ({{ versions }}.valid_to > {{ time }} or ({{ versions }}.valid_to is null and {{ versions }}.is_current))
{%- endmacro %}
