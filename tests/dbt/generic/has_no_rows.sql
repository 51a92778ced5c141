{#- The relation is empty: for models that list what is wrong. -#}
{% test has_no_rows(model) %}
with found as (
    select * from {{ model }}
)

select * from found
{% endtest %}
