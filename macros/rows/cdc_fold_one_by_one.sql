{#- What each change of large groups does to its row, a call of the table function in python_udfs/rows/fold_rows.py. -#}
{% macro cdc_fold_one_by_one(events) -%}
    cdc_fold_one_by_one(
        table(
            select
                row_group,
                number_in_group,
                row_id,
                key_change as side,
                operation,
                after as image,
                after_image as image_kind,
                row_columns,
                ended_columns,
                {{ cdc_transaction_scope('') }} as transaction_scope,
                change_id,
                moved_to_row_key
            from {{ events }}
        ) partition by row_group order by number_in_group
    )
{%- endmacro %}
