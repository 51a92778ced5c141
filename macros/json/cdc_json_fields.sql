{#- The members of a JSON object as text, map<string,string>: a null has a null value, an absent member is not in the map. -#}
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
