{#- What an earlier run left in a working table downstream of the caller (a `ref` would be a cycle), or no rows. -#}
{% macro cdc_earlier(identifier, columns) -%}
    {%- if cdc_is_rebuild() or cdc_is_unit_test() -%} {{ cdc_no_rows(columns) }}
    {%- else -%} {{ cdc_relation_or_no_rows(cdc_work_schema(), identifier, columns) }}
    {%- endif -%}
{%- endmacro %}

{#- The name of a relation, or no rows where it does not exist. -#}
{% macro cdc_relation_or_no_rows(schema, identifier, columns) -%}
    {{ (adapter.get_relation(database=none, schema=schema, identifier=identifier) if execute) or cdc_no_rows(columns) }}
{%- endmacro %}

{#- No rows of these columns, a select in parentheses. -#}
{% macro cdc_no_rows(columns) -%}
    (
        select
            {%- for column in columns %}
            cast(null as {{ column.type }}) as `{{ column.name }}`{{ ',' if not loop.last }}
            {%- endfor %}
        where false
    )
{%- endmacro %}

{#- Whether this run decodes all raw messages again and replaces everything (var cdc_rebuild). -#}
{% macro cdc_is_rebuild() -%}
    {{ return(var('cdc_rebuild', false) | as_bool) }}
{%- endmacro %}
