{#- The column is filled wherever the condition holds. -#}
{% test not_null_where(model, column_name, condition) %}
with missing as (
    select * from {{ model }}
    where ({{ condition }}) and {{ column_name }} is null
)

select * from missing
{% endtest %}
