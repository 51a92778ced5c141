{#- The members of a JSON object as text, map<string,string>: a null is in the map with a null value, a member that is not in the
    object is not in the map. Text comes unquoted, nested values as JSON text, numbers as they were written (with an exponent:
    as double writes them).
    object_text: SQL expression of JSON object text. -#}
{% macro cdc_json_fields(object_text) -%}
    coalesce(
        case
            when {{ cdc_has_inexact_numbers(object_text) }}
                then map_zip_with(
                    from_json({{ object_text }}, 'map<string,string>'),
                    from_json({{ cdc_long_numbers_as_text(object_text) }}, 'map<string,variant>'),
                    (name, as_read, exact) -> if(
                        {{ cdc_has_inexact_numbers('to_json(exact)') }}, cast(exact as string), as_read
                    )
                )
        end,
        from_json({{ object_text }}, 'map<string,string>')
    )
{%- endmacro %}
