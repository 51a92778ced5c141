{#- The name of a relation, or no rows where it does not exist. -#}
{% macro cdc_relation_or_no_rows(schema, identifier, columns) -%}
    {{ (adapter.get_relation(database=none, schema=schema, identifier=identifier) if execute) or cdc_no_rows(columns) }}
{%- endmacro %}
