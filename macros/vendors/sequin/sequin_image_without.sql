{#- A row image (compact JSON object text) without some of its columns, all of which hold the same value. The members
    are cut out of the text, so the rest stays as it was sent; where a member's text stands more than once (a nested
    object has the same one) or a name needs escaping, the object is taken apart and written anew.
    image: SQL expression of the image. columns: SQL expression of array<string>.
    value: SQL expression of the value's JSON text. -#}
{% macro sequin_image_without(image, columns, value) -%}
    case
        when size({{ columns }}) = 0 then {{ image }}
        when
            forall(
                {{ columns }},
                column_name -> not contains(column_name, '"') and not contains(column_name, '\\')
                    and length({{ image }})
                    - length(replace({{ image }}, concat('"', column_name, '":', {{ value }}), ''))
                    = length(column_name) + 3 + length({{ value }})
            )
            then aggregate(
                {{ columns }},
                {{ image }},
                (image_so_far, column_name) -> replace(
                    replace(
                        replace(image_so_far, concat('"', column_name, '":', {{ value }}, ','), ''),
                        concat(',"', column_name, '":', {{ value }}), ''
                    ),
                    concat('{"', column_name, '":', {{ value }}, '}'), '{}'
                )
            )
        else to_json(map_filter(
            from_json({{ image }}, 'map<string,variant>'),
            (column_name, column_value) -> not array_contains({{ columns }}, column_name)
        ))
    end
{%- endmacro %}
