{#- The groups of rows that key changes connect, as cdc_connect_rows in python_udfs/rows/connect_rows.py gives them. `moves`
    is a list of structs of `row_id_before` and `row_id`. -#}
{% macro cdc_connect_rows_in_sql(moves) -%}
    aggregate(
        {{ moves }},
        cast(map() as map<string, string>),
        -- `groups` holds the least row of the group of each row so far. A key change of two rows that no other one has
        -- named is a group of its own; any other one makes two groups one.
        (groups, move) -> case
            when
                not map_contains_key(groups, move.row_id_before)
                and not map_contains_key(groups, move.row_id)
                and move.row_id_before <> move.row_id
                then map_concat(
                    groups,
                    map(
                        move.row_id_before,
                        least(move.row_id_before, move.row_id),
                        move.row_id,
                        least(move.row_id_before, move.row_id)
                    )
                )
            else {{ cdc_let(
                'joined',
                'struct(
                    coalesce(try_element_at(groups, move.row_id_before), move.row_id_before) as one,
                    coalesce(try_element_at(groups, move.row_id), move.row_id) as other
                )',
                'transform_values(
                    map_concat(
                        map_filter(groups, (row_id, group_id) -> row_id not in (move.row_id_before, move.row_id)),
                        map_from_arrays(
                            array_distinct(array(move.row_id_before, move.row_id)),
                            transform(array_distinct(array(move.row_id_before, move.row_id)), row_id -> joined.one)
                        )
                    ),
                    (row_id, group_id)
                    -> if(group_id in (joined.one, joined.other), least(joined.one, joined.other), group_id)
                )',
            ) }}
        end,
        groups -> transform(
            map_entries(groups),
            entry -> struct(entry.key as row_id, entry.value as group_id)
        )
    )
{%- endmacro %}
