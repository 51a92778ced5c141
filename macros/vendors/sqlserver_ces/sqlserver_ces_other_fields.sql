{#- The fields of a JSON object that nobody knows yet, as JSON object text with their types; null where there is none.
    Only an object with such a field is taken apart.
    text: SQL expression of the object's text. keys: SQL expression of its keys, array<string>. known: list of the names
    that have their place. -#}
{% macro sqlserver_ces_other_fields(text, keys, known) -%}
    case
        when size(array_except({{ keys }}, array('{{ known | join("', '") }}'))) > 0
            then to_json(map_filter(
                from_json({{ text }}, 'map<string,variant>'),
                (field, field_value) -> field not in ('{{ known | join("', '") }}')
            ))
    end
{%- endmacro %}
