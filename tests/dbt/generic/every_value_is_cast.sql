{#- Of a typed table: no value was there that could not be cast, so that its column is null. -#}
{% test every_value_is_cast(model) %}
with rows_with_errors as (
    select * from {{ model }}
    where size(cast_errors) > 0
)

select * from rows_with_errors
{% endtest %}
