{#- True where a text is one JSON value and nothing after it. Spark's JSON readers stop at the end of the first value, so
    trailing garbage shows only when the text is wrapped: in an array it must be the only element, and as a field of an
    object it must parse. No text passes both and is not one value. Duplicate keys are not looked at here. -#}
{% macro cdc_is_json(text) -%}
    (
        coalesce(json_array_length(concat('[', {{ text }}, ']')), 0) = 1
        and (
            try_parse_json(concat('{"v":', {{ text }}, '}')) is not null
            or (
                coalesce(size(json_object_keys(concat('{"v":', {{ text }}, '}'))), 0) = 1
                -- This reader takes single quotes for double ones; JSON has none outside its strings.
                and not contains(regexp_replace({{ text }}, '"(?:[^"\\\\]++|\\\\.)*+"', ''), '\'')
            )
        )
    )
{%- endmacro %}

{#- True where one of the JSON objects holds a key twice. whole: the text that contains them all; it is tried first, so that
    a clean message costs one parse. objects: list of SQL expressions, each JSON object text or null (envelope, row images …).
    Keys inside a user's own JSON value may repeat: they are not among the objects. -#}
{% macro cdc_has_duplicate_keys(whole, objects) -%}
    (
        try_parse_json({{ whole }}) is null
        and exists(
            array({{ objects | join(', ') }}),
            object -> coalesce(size(json_object_keys(object)) > size(array_distinct(json_object_keys(object))), false)
        )
    )
{%- endmacro %}
