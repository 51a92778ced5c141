{#- True where one of some JSON objects holds a key twice; a user's own values are not among them. Looked at only where the
    message as a whole may repeat a key. It is a case and not an `and`: what stands twice behind an `and` Spark computes for
    every row, ahead of time.
    repeats_no_key: SQL expression, the message was found clean; objects: list of SQL expressions, each JSON text or null. -#}
{% macro supabase_etl_has_repeats(repeats_no_key, objects) -%}
    case
        when {{ repeats_no_key }} then false
        else exists(
            array({{ objects | join(', ') }}),
            object -> coalesce(size(json_object_keys(object)) > size(array_distinct(json_object_keys(object))), false)
        )
    end
{%- endmacro %}
