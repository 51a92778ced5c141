{#- What each change of large groups does to its row, a call of the table function in python_udfs/changelog/fold_rows.py. -#}
{% macro cdc_fold_one_by_one(events) -%}
    cdc_fold_one_by_one(
        table(
            select
                row_group,
                number_in_group,
                row_id,
                key_change as half,
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

{#- The most changes of a group of rows that one array holds; those of a larger group are folded one by one. -#}
{% macro cdc_largest_array_of_changes() -%}
    {{ return(var('cdc_largest_array_of_changes', 10000) | int) }}
{%- endmacro %}

{#- What changes of one transaction have in common: the epoch, and the transaction or the first part of the position. -#}
{% macro cdc_transaction_scope(event) -%}
    concat({{ event }}epoch, ':', coalesce({{ event }}transaction_id, substring_index({{ event }}position, '/', 1)))
{%- endmacro %}
