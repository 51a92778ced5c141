{#- True where a field of an event has a JSON type that it cannot have: an image, metadata or the
    source's fields that are no object, an id that is none, a table or schema name that is no text.
    Reads the columns of stg_savegress__changes. Taken as text, the string "{…" and an object look
    alike, and so do 5 and "5": only such events are looked at again. -#}
{% macro savegress_has_wrong_type() -%}
    (
        coalesce(not startswith(event.before, '{'), false)
        or coalesce(not startswith(event.after, '{'), false)
        or coalesce(not startswith(event.metadata, '{'), false)
        or coalesce(left(event.source, 1) = '[', false)
        or coalesce(left(event.id, 1) in ('{', '['), false)
        or coalesce(left(transaction_id, 1) in ('{', '['), false)
        or (
            contains(event_text, '"{')
            and exists(
                array(
                    from_json(
                        event_text,
                        'source struct<x: string>, position struct<x: string>, '
                        || 'before struct<x: string>, after struct<x: string>, '
                        || 'metadata struct<x: string>'
                    )
                ),
                typed ->
                    (startswith(event.source, '{') and typed.source is null)
                    or (startswith(event.position, '{') and typed.position is null)
                    or (startswith(event.before, '{') and typed.before is null)
                    or (startswith(event.after, '{') and typed.after is null)
                    or (startswith(event.metadata, '{') and typed.metadata is null)
            )
        )
        or (
            coalesce(table_name rlike '{{ _savegress_looks_untexted() }}', false)
            and {{ _savegress_is_no_text('table') }}
        )
        or (
            coalesce(schema_name rlike '{{ _savegress_looks_untexted() }}', false)
            and {{ _savegress_is_no_text('schema') }}
        )
    )
{%- endmacro %}

{#- The pattern of a text that may have been a number, a boolean, an object or an array. -#}
{% macro _savegress_looks_untexted() -%}
^(-?[0-9]|[{\\[\\u0001]|(true|false)$)
{%- endmacro %}

{#- True where the field of that name, at the top or in `source`, is there and no text. -#}
{% macro _savegress_is_no_text(name) -%}
    exists(
        array(try_parse_json(event_text)),
        value -> coalesce(
            schema_of_variant(
                coalesce(
                    try_variant_get(value, '$.{{ name }}', 'variant'),
                    try_variant_get(value, '$.source.{{ name }}', 'variant')
                )
            ) not in ('STRING', 'VOID'),
            false
        )
    )
{%- endmacro %}
