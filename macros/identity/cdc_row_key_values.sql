{#- The key of a change: each key column out of its image, else out of the other one, else as it was sent beside them. -#}
{% macro cdc_row_key_values(image, other_image, key_columns, key_values_sent) -%}
    case
        when {{ key_columns }} is null then {{ key_values_sent }}
        when
            size({{ key_columns }}) = 1
            and startswith({{ image }}, concat('{"', {{ key_columns }}[0], '":'))
            -- A key that occurs twice is read below, where the last one counts.
            and not contains(substr({{ image }}, 3), concat('"', {{ key_columns }}[0], '":'))
            and {{ cdc_single_key_value(image, key_columns) }} <> ''
            then array({{ cdc_single_key_value(image, key_columns) }})
        else element_at(
            transform(
                transform(
                    array(struct(
                        {{ cdc_json_fields(image) }} as held,
                        {{ cdc_json_fields(other_image) }} as other
                    )),
                    images -> transform(
                        {{ key_columns }},
                        (column_name, index) -> case
                            when coalesce(map_contains_key(images.held, column_name), false)
                                then struct({{ cdc_json_key_value(
                                    image, 'column_name', 'try_element_at(images.held, column_name)'
                                ) }} as value)
                            when coalesce(map_contains_key(images.other, column_name), false)
                                then struct({{ cdc_json_key_value(
                                    other_image, 'column_name', 'try_element_at(images.other, column_name)'
                                ) }} as value)
                            when size({{ key_values_sent }}) = size({{ key_columns }})
                                then struct({{ key_values_sent }}[index] as value)
                        end
                    )
                ),
                -- A part that was not sent makes the whole key one that is not known.
                parts -> if(
                    exists(parts, part -> part is null), array(cast(null as string)), transform(parts, part -> part.value)
                )
            ),
            1
        )
    end
{%- endmacro %}
