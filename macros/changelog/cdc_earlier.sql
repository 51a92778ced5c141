{#- What an earlier run left in a relation that lies downstream of the caller (a `ref` would be a cycle): the relation
    where it exists, else a typed relation without rows. A rebuild begins anew: there nothing is earlier.
    columns: list of {'name', 'type'}. Returns a select in parentheses. -#}
{% macro cdc_earlier(schema, identifier, columns) -%}
    {{ cdc_relation_or_no_rows(schema, identifier if not cdc_is_rebuild() else none, columns) }}
{%- endmacro %}

{#- The named columns of a relation where it exists, else a typed relation without rows; a select in parentheses.
    columns: list of {'name', 'type'}. -#}
{% macro cdc_relation_or_no_rows(schema, identifier, columns) -%}
    {%- set relation = adapter.get_relation(database=none, schema=schema, identifier=identifier)
        if execute and identifier else none -%}
    (
        select
            {%- for column in columns %}
            {{ '`' ~ column.name ~ '`' if relation else 'cast(null as ' ~ column.type ~ ') as `' ~ column.name ~ '`' }}
            {{- ',' if not loop.last }}
            {%- endfor %}
        {% if relation %}from {{ relation }}{% else %}where false{% endif %}
    )
{%- endmacro %}
