{#- The columns of a row image as a map from each name, in its quotes, to its value, both exactly as they are written. Of a
    name that stands twice the last value counts, in the place of the first. -#}
{% macro cdc_split_columns(image) -%}
    {#- Of the same length as the image, and every quote in it begins or ends a text. -#}
    {%- set without_escapes -%}
        regexp_replace({{ image }}, '\\\\.', '__')
    {%- endset -%}
    aggregate(
        -- Texts, what stands between them, and each sign that gives the image its form.
        regexp_extract_all({{ without_escapes }}, '"[^"]*+"|[^"{}\\[\\],:]++|[{}\\[\\],:]', 0),
        cast(
            struct(0, 0, null, null, array())
            as struct<
                depth: int,
                length: int,
                column_name: string,
                value_start: int,
                columns: array<struct<column_name: string, value: string>>
            >
        ),
        (seen, token) -> struct(
            seen.depth
            + case
                when token in ('{', '[') then 1
                when token in ('}', ']') then -1
                else 0
            end as depth,
            seen.length + length(token) as length,
            case
                when seen.depth = 1 and seen.value_start is null and startswith(token, '"')
                    then substring({{ image }}, seen.length + 1, length(token))
                else seen.column_name
            end as column_name,
            case
                when seen.depth = 1 and token = ':' then seen.length + 2
                when seen.depth = 1 and token = ',' then null
                else seen.value_start
            end as value_start,
            case
                when seen.depth = 1 and token in (',', '}') and seen.value_start is not null
                    then array_append(
                        seen.columns,
                        struct(
                            seen.column_name as column_name,
                            trim(
                                both ' \t\r\n'
                                from substring({{ image }}, seen.value_start, seen.length + 1 - seen.value_start)
                            ) as value
                        )
                    )
                else seen.columns
            end as columns
        ),
        seen -> case
            when size(seen.columns) = size(array_distinct(seen.columns.column_name))
                then map_from_entries(seen.columns)
            else map_from_arrays(
                array_distinct(seen.columns.column_name),
                transform(
                    array_distinct(seen.columns.column_name),
                    name -> element_at(filter(seen.columns, column -> column.column_name = name), -1).value
                )
            )
        end
    )
{%- endmacro %}
