{#- The schema message that carries a row's columns: found by its id, else the newest made not after the row, else the oldest. -#}
{% macro qlik_effective_schema(table_schemas, schema_id, happened_at) -%}
    case
        when {{ table_schemas }} is null then null
        when {{ schema_id }} is not null or size({{ table_schemas }}) = 1 then {{ table_schemas }}[0]
        else coalesce(
            try_element_at(
                filter(
                    {{ table_schemas }},
                    candidate -> coalesce(candidate.produced_at <= {{ happened_at }}, candidate.produced_at is null)
                ),
                1
            ),
            try_element_at({{ table_schemas }}, -1)
        )
    end
{%- endmacro %}
