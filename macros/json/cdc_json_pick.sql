{#- What cdc_json_omit gives, put together from the texts of the members; null where a nested object holds a key twice. -#}
{% macro cdc_json_pick(object_text, names, value) -%}
    element_at(
        transform(
            array(struct(
                {{ cdc_json_fields(object_text) }} as texts,
                from_json({{ object_text }}, 'map<string,variant>') as variants
            )),
            members -> concat('{', array_join(
                transform(
                    filter(
                        transform(
                            json_object_keys({{ object_text }}),
                            name -> struct(
                                name as name,
                                case
                                    when members.texts[name] is null then 'null'
                                    when schema_of_variant(members.variants[name]) = 'STRING'
                                        then {{ cdc_json_string('members.texts[name]') }}
                                    else members.texts[name]
                                end as value
                            )
                        ),
                        member -> not (array_contains({{ names }}, member.name) and member.value = {{ cdc_literal(value) }})
                    ),
                    member -> concat({{ cdc_json_string('member.name') }}, ':', member.value)
                ),
                ','
            ), '}')
        ),
        1
    )
{%- endmacro %}
