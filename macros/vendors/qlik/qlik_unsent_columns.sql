{#- Names of the columns that the column mask says were not captured; null where nothing tells which bit is whose. -#}
{% macro qlik_unsent_columns() -%}
    {%- set names = 'column_names' -%}
    {%- if var('cdc_qlik_ordinals_from_json_order', false) | as_bool -%}
        {%- set names = 'coalesce(column_names, json_object_keys(coalesce(data, before_data)))' -%}
    {%- endif -%}
    transform(
        filter(
            transform(
                {{ names }},
                (name, place) -> struct(name, array_contains(column_mask_read.ordinals, place + 1) as is_sent)
            ),
            column -> column.name is not null and not column.is_sent
        ),
        column -> column.name
    )
{%- endmacro %}
