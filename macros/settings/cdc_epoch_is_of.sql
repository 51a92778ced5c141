{#- Whether an epoch, a lambda argument or a relation, is one of a table. -#}
{% macro cdc_epoch_is_of(candidate, source, schema_name, table_name) -%}
    {{ candidate }}.source in ('*', {{ source }})
    and ({{ candidate }}.schema_name = '*' or {{ candidate }}.schema_name <=> {{ schema_name }})
    and ({{ candidate }}.table_name = '*' or {{ candidate }}.table_name <=> {{ table_name }})
{%- endmacro %}
