{#- Names of the columns that the column mask says were not captured; null where nothing tells which bit is whose.
    column_names: SQL expression, names by ordinal. row: SQL expression of a row image, whose order of keys counts where var
    cdc_qlik_ordinals_from_json_order says so. ordinals: SQL expression of the ordinals that were captured. -#}
{% macro qlik_unsent_columns(column_names, row, ordinals) -%}
    {%- set names = column_names -%}
    {%- if var('cdc_qlik_ordinals_from_json_order', false) | as_bool -%}
        {%- set names = 'coalesce(' ~ column_names ~ ', json_object_keys(' ~ row ~ '))' -%}
    {%- endif -%}
    filter({{ names }}, (name, place) -> name is not null and not array_contains({{ ordinals }}, place + 1))
{%- endmacro %}
