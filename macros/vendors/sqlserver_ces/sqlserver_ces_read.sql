{#- A JSON text read by from_json, together with a mark set behind it. The result is a map from `read` to what was read
    and from the mark to an empty object: where it holds just these two (sqlserver_ces_is_whole), the text was one JSON
    value and nothing after it. So one pass tells values, repeated keys (a map keeps both) and trailing garbage.
    text: SQL expression of the text. type: Spark type of what is read, a map. -#}
{% macro sqlserver_ces_read(text, type) -%}
    from_json(
        concat('{"read":', {{ text }}, ',"\\u0001end":{}}'),
        'map<string,{{ type }}>',
        map('allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false')
    )
{%- endmacro %}

{#- True where a text read with sqlserver_ces_read was one JSON value of the type asked for.
    result: SQL expression of what sqlserver_ces_read gave. -#}
{% macro sqlserver_ces_is_whole(result) -%}
    coalesce(map_keys({{ result }}) = array('read', '\u0001end') and {{ result }}['read'] is not null, false)
{%- endmacro %}
