{#- The key of a change: each key column out of its image, else out of the other one, else as it was sent beside them. -#}
{% macro cdc_row_key_values(image, other_image, key_columns, key_values_sent) -%}
    case
        when {{ key_columns }} is null then {{ key_values_sent }}
        when
            size({{ key_columns }}) = 1
            and startswith({{ image }}, concat('{"', {{ key_columns }}[0], '":'))
            and {{ cdc_first_value(image, key_columns) }} <> ''
            then array({{ cdc_first_value(image, key_columns) }})
        else element_at(
            transform(
                array(struct(
                    {{ cdc_json_fields(image) }} as held,
                    {{ cdc_json_fields(other_image) }} as other
                )),
                images -> transform(
                    {{ key_columns }},
                    (column_name, index) -> case
                        when coalesce(map_contains_key(images.held, column_name), false)
                            then try_element_at(images.held, column_name)
                        when coalesce(map_contains_key(images.other, column_name), false)
                            then try_element_at(images.other, column_name)
                        when size({{ key_values_sent }}) = size({{ key_columns }}) then {{ key_values_sent }}[index]
                    end
                )
            ),
            1
        )
    end
{%- endmacro %}

{#- The key that an update found its row under. Key columns that the before image lacks did not change. -#}
{% macro cdc_key_values_before() -%}
    case
        when key_columns is null or coalesce(size(key_values_before_sent), 0) = size(key_columns)
            then key_values_before_sent
        when before is null or before = '{}' then cast(null as array<string>)
        when exists(key_columns, column_name -> contains(before, concat('"', column_name, '":')))
            then {{ cdc_row_key_values('before', 'after', 'key_columns', 'key_values_sent') }}
    end
{%- endmacro %}

{#- True where an array of texts holds a null. Not `exists`: Spark generates no code for a step that has a lambda in it. -#}
{% macro cdc_holds_null(values) -%}
    case
        when size({{ values }}) = 1 then {{ values }}[0] is null
        else size(array_except(array(cast(null as string)), {{ values }})) = 0
    end
{%- endmacro %}
