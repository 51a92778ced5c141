{#- The members of a JSON object as text, map<string,string>: a null has a null value, an absent member is not in the map. Of a key that
    occurs twice the last counts. -#}
{% macro cdc_json_fields(object_text) -%}
    {%- set as_read = "from_json(" ~ object_text ~ ", 'map<string,string>')" -%}
    {%- set as_sent -%}
        coalesce(
            case
                when {{ cdc_changelog.cdc_has_inexact_numbers(object_text) }}
                    then map_zip_with(
                        {{ as_read }},
                        from_json({{ cdc_changelog.cdc_long_numbers_as_text(object_text) }}, 'map<string,variant>'),
                        (name, read, exact) -> if(
                            {{ cdc_changelog.cdc_has_inexact_numbers('to_json(exact)') }}, cast(exact as string), read
                        )
                    )
            end,
            {{ as_read }}
        )
    {%- endset -%}
    element_at(
        transform(
            array({{ as_sent }}),
            fields -> case
                when {{ cdc_changelog.cdc_has_repeated_keys('fields') }}
                    then map_from_arrays(
                        array_distinct(map_keys(fields)),
                        transform(
                            array_distinct(map_keys(fields)),
                            name -> element_at(
                                reverse(map_values(fields)),
                                cast(array_position(reverse(map_keys(fields)), name) as int)
                            )
                        )
                    )
                else fields
            end
        ),
        1
    )
{%- endmacro %}
