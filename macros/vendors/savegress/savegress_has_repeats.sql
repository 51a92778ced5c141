{#- True where a list of keys holds one twice, null where there is no list. -#}
{% macro savegress_has_repeats(keys) -%}
    size({{ keys }}) > size(array_distinct({{ keys }}))
{%- endmacro %}
