{#- What an earlier run left in a relation that lies downstream of the caller (a `ref` would be a cycle): the relation where it
    exists, else a typed relation without rows. A rebuild begins anew, and a unit test brings all
    that it needs: there nothing is earlier.
    columns: list of {'name', 'type'}. Returns what cdc_relation_or_no_rows does. -#}
{% macro cdc_earlier(schema, identifier, columns) -%}
    {{ cdc_relation_or_no_rows(schema, none if cdc_is_rebuild() or cdc_is_unit_test() else identifier, columns) }}
{%- endmacro %}

{#- A relation, or a typed relation without rows where it does not exist. identifier: none for no rows in any case.
    columns: list of {'name', 'type'}. Returns the relation's name, or a select in parentheses. -#}
{% macro cdc_relation_or_no_rows(schema, identifier, columns) -%}
    {%- set relation = adapter.get_relation(database=none, schema=schema, identifier=identifier) if execute and identifier else none -%}
    {%- if relation -%} {{ relation }}
    {%- else -%}
    (
        select
            {%- for column in columns %}
            cast(null as {{ column.type }}) as `{{ column.name }}`{{ ',' if not loop.last }}
            {%- endfor %}
        where false
    )
    {%- endif -%}
{%- endmacro %}

{#- Whether this run decodes all raw messages again and replaces everything (var cdc_rebuild). -#}
{% macro cdc_is_rebuild() -%}
    {{ return(var('cdc_rebuild', false) | as_bool) }}
{%- endmacro %}
