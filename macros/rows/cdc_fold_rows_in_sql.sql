{#- What each change of a group of rows does to its row, as cdc_fold_rows in python_udfs/rows/fold_rows.py gives it: the
    same rules in the same order, which docs/guarantees.md explains. `changes` is a list of the structs that
    int_row_states passes to both, in order, each with `columns`: the columns of its image as cdc_split_columns gives them.
    -#}
{% macro cdc_fold_rows_in_sql(changes) -%}
    {#- A live row: its JSON text, and the columns that later images inherit. -#}
    {%- set content_type = 'struct<text: string, is_partial: boolean, columns: map<string, string>>' -%}
    {%- set displaced_type -%}
        array<struct<content: {{ content_type }}, transaction_scope: string, result_number: int>>
    {%- endset -%}
    {%- set row_type -%}
        struct<content: {{ content_type }}, displaced: {{ displaced_type }}>
    {%- endset -%}
    {%- set result_type -%}
        struct<
            effect: string,
            `row`: string,
            is_partial: boolean,
            displaced_by: string,
            displaced_moved_to_row_key: string
        >
    {%- endset -%}
    {%- set close = "cast(struct('close', null, false, null, null) as " ~ result_type ~ ')' -%}
    {%- set no_effect = "cast(struct('none', null, false, null, null) as " ~ result_type ~ ')' -%}
    {%- set state_type -%}
        struct<
            rows: map<string, {{ row_type }}>,
            moving: map<string, {{ content_type }}>,
            results: array<{{ result_type }}>
        >
    {%- endset -%}
    {%- set is_reset = "change.operation in ('truncate', 'drop', 'reset')" -%}
    {%- set is_loss_of_columns = "change.operation = 'columns'" -%}
    {%- set is_end = "(change.side <=> 'out' or change.operation = 'delete')" -%}
    {%- set displaces = "(change.side <=> 'in' and found.known_row.content is not null)" -%}

    {#- The row that the change acts on, as the changes before it have left it. -#}
    {%- set known_row = 'try_element_at(state.rows, change.row_id)' -%}

    {#- A delete, or a key change, acts on the row that was displaced first in the same transaction, if one was. -#}
    {%- set taken -%}
        try_element_at(
            filter({{ known_row }}.displaced, item -> item.transaction_scope = change.transaction_scope),
            1
        )
    {%- endset -%}

    {#- What an image folds into. -#}
    {%- set base -%}
        if(change.side <=> 'in', try_element_at(state.moving, change.change_id), {{ known_row }}.content)
    {%- endset -%}

    {#- Whether the table still has a column. -#}
    {%- set is_of_table -%}
        (
            change.row_columns is null
            or coalesce(array_contains(change.row_columns, {{ cdc_json_name('name') }}), false)
        )
    {%- endset -%}
    {#- What a partial image leaves: the values that it holds, and of the row before it those of other columns that the
        table still has. -#}
    {%- set folded_columns -%}
        map_concat(
            transform_values(
                map_filter(base.columns, (name, value) -> {{ is_of_table }}),
                (name, value) -> coalesce(try_element_at(change.columns, name), value)
            ),
            map_filter(
                change.columns,
                (name, value) -> not (map_contains_key(base.columns, name) and {{ is_of_table }})
            )
        )
    {%- endset -%}
    {%- set text_of_columns -%}
        concat(
            '{',
            array_join(transform(map_entries(columns), entry -> concat(entry.key, ':', entry.value)), ','),
            '}'
        )
    {%- endset -%}
    {%- set content -%}
        case
            when {{ is_reset }} or {{ is_loss_of_columns }} or {{ is_end }}
                then null
            when change.image_kind = 'full'
                then struct(
                    coalesce(change.image, '{}') as text,
                    false as is_partial,
                    change.columns as columns
                )
            else {{ cdc_let(
                'base',
                base,
                "if(
                    base is null,
                    struct(coalesce(change.image, '{}') as text, true as is_partial, change.columns as columns),
                    " ~ cdc_let(
                        'columns',
                        folded_columns,
                        'struct(' ~ text_of_columns ~ ' as text, base.is_partial as is_partial, columns as columns)',
                    ) ~ '
                )',
            ) }}
        end
    {%- endset -%}

    {#- The next state, where all that it needs is known. -#}
    {%- set new_content -%}
        case
            when {{ is_reset }}
                then null
            when {{ is_loss_of_columns }}
                then {{ cdc_without_ended_columns('found.known_row.content', 'change.ended_columns') }}
            when {{ is_end }}
                then if(found.taken is null, null, found.known_row.content)
            else found.content
        end
    {%- endset -%}
    {%- set new_displaced -%}
        case
            when {{ is_reset }}
                then cast(array() as {{ displaced_type }})
            when {{ is_loss_of_columns }}
                then transform(
                    found.known_row.displaced,
                    item -> struct(
                        {{ cdc_without_ended_columns('item.content', 'change.ended_columns') }} as content,
                        item.transaction_scope as transaction_scope,
                        item.result_number as result_number
                    )
                )
            -- Rows displaced before it, in other transactions, are not looked at again.
            when {{ is_end }}
                then filter(found.known_row.displaced, item -> item.result_number > found.taken.result_number)
            when {{ displaces }}
                then array_append(
                    coalesce(found.known_row.displaced, cast(array() as {{ displaced_type }})),
                    struct(
                        found.known_row.content as content,
                        change.transaction_scope as transaction_scope,
                        size(state.results) + 1 as result_number
                    )
                )
            else found.known_row.displaced
        end
    {%- endset -%}
    {%- set new_moving -%}
        case
            when change.side = 'out'
                then map_concat(
                    state.moving,
                    map(change.change_id, coalesce(found.taken.content, found.known_row.content))
                )
            when change.side = 'in'
                then map_filter(state.moving, (change_id, content) -> change_id <> change.change_id)
            else state.moving
        end
    {%- endset -%}
    {%- set result -%}
        case
            when {{ is_reset }}
                then {{ close }}
            when {{ is_loss_of_columns }} or ({{ is_end }} and found.taken is not null)
                then {{ no_effect }}
            when {{ is_end }}
                then {{ close }}
            else cast(
                struct(
                    'upsert',
                    found.content.text,
                    found.content.is_partial,
                    if({{ displaces }}, 'key_change', null),
                    null
                ) as {{ result_type }}
            )
        end
    {%- endset -%}
    {#- The change that displaced a row says what became of that row. -#}
    {%- set earlier_results -%}
        if(
            {{ is_end }} and found.taken is not null,
            transform(
                state.results,
                (earlier, place) -> if(
                    place + 1 = found.taken.result_number,
                    struct(
                        earlier.effect as effect,
                        earlier.`row` as `row`,
                        earlier.is_partial as is_partial,
                        if(change.side <=> 'out', 'key_change', 'delete') as displaced_by,
                        change.moved_to_row_key as displaced_moved_to_row_key
                    ),
                    earlier
                )
            ),
            state.results
        )
    {%- endset -%}
    {#- No cast: it would copy all results for each change. -#}
    {%- set new_state -%}
        struct(
            map_concat(
                map_filter(state.rows, (row_id, other_row) -> row_id <> change.row_id),
                map(change.row_id, struct({{ new_content }} as content, {{ new_displaced }} as displaced))
            ) as rows,
            {{ new_moving }} as moving,
            array_append({{ earlier_results }}, {{ result }}) as results
        )
    {%- endset -%}

    aggregate(
        {{ changes }},
        cast(struct(map(), map(), array()) as {{ state_type }}),
        -- The inner aggregate has one step: it gives names to what is calculated once.
        (state, change) -> aggregate(
            array(struct(
                {{ known_row }} as known_row,
                {{ taken }} as taken,
                {{ content }} as content
            )),
            state,
            (state, found) -> {{ new_state }}
        ),
        state -> state.results
    )
{%- endmacro %}
