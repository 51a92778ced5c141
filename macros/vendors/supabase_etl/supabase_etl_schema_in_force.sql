{#- Which of a table's schemas a row is decoded with: the last one at or before the row's place, else the first that shares the
    row's start LSN (a Relation comes before the row it is sent for, whatever a counter says). Places are start LSNs within a
    commit, not counters: a transaction that is sent again keeps the former and changes the latter. A copied row has no place;
    it takes the table's first schema.
    schemas: SQL expression, array of schemas in order of place; commit_lsn, start_lsn, ordinal: SQL expressions of the row's,
    16 hexadecimal digits or null. -#}
{% macro supabase_etl_schema_in_force(schemas, commit_lsn, start_lsn, ordinal) -%}
    case
        when {{ commit_lsn }} is null then try_element_at({{ schemas }}, 1)
        else coalesce(
            try_element_at(
                filter(
                    {{ schemas }},
                    known -> known.position
                        <= concat({{ commit_lsn }}, '/', {{ start_lsn }}, '/', coalesce({{ ordinal }}, '~'))
                ),
                -1
            ),
            try_element_at(
                filter(
                    {{ schemas }},
                    known -> startswith(known.position, concat({{ commit_lsn }}, '/', {{ start_lsn }}, '/'))
                ),
                1
            )
        )
    end
{%- endmacro %}
