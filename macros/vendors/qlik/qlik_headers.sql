{#- The headers of a message, map<string,string>. A custom message format puts them into the body, with the prefix headers_ or without. -#}
{% macro qlik_headers(body) -%}
    case
        when {{ body }}['headers'] is not null then from_json({{ body }}['headers'], 'map<string,string>')
        when map_contains_key({{ body }}, 'headers_operation')
            then transform_keys(
                map_filter({{ body }}, (name, value) -> startswith(name, 'headers_')), (name, value) -> substring(name, 9)
            )
        else {{ body }}
    end
{%- endmacro %}
