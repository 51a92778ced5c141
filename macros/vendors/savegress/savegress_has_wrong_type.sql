{#- True where a field of an event has a JSON type that it cannot have: an image, metadata or the source's fields that are no
    object, an id that is none, a table or schema name that is no text. Reads the columns of stg_savegress__changes.
    Taken as text, the string "{…" and an object look alike, and so do 5 and "5": only then is the event looked at again. -#}
{% macro savegress_has_wrong_type() -%}
    (
        coalesce(
            exists(
                array(event.before, event.after, event.metadata), object -> not startswith(object, '{')
            ),
            false
        )
        or coalesce(
            exists(
                array(event.id, event.transaction_id, event_metadata.tx_id, event.ddl_command),
                scalar -> left(scalar, 1) in ('{', '[')
            ),
            false
        )
        or coalesce(left(event.source, 1) = '[', false)
        or (
            contains(event_text, '"{')
            and exists(
                array(
                    from_json(
                        event_text,
                        'source struct<x: string>, position struct<x: string>, before struct<x: string>, '
                        || 'after struct<x: string>, metadata struct<x: string>'
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

{% macro _savegress_looks_untexted() -%}
^(-?[0-9]|[{\\[\\u0001]|(true|false)$)
{%- endmacro %}

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
