{#- What a message says beside what has a column of its own, as a JSON object: known fields, then the unknown fields of the headers,
    of the message and of its envelope, each under the name of their place.
    texts: {name: SQL expression of a known field}. header: SQL expression of the headers, map<string,string>; body: of the
    message; event: of the whole text; document: of the text as VARIANT at $[0]; body_document: of the
    message as VARIANT. is_bare: SQL condition, true without envelope. -#}
{% macro qlik_metadata(texts, header, body, event, document, body_document, is_bare) -%}
    {%- set known -%}
        to_json(named_struct(
            {%- for name, text in texts.items() %}
            '{{ name }}', {{ text }}{{ ',' if not loop.last }}
            {%- endfor %}
        ))
    {%- endset -%}
    {%- set headers = _qlik_other_fields(body_document, '$.headers', 'map_keys(' ~ header ~ ')', 'headers') -%}
    {%- set message = _qlik_other_fields(body_document, '$', 'map_keys(' ~ body ~ ')', 'message') -%}
    {%- set bare_message = _qlik_other_fields(document, '$[0]', 'map_keys(' ~ body ~ ')', 'bare message') -%}
    {%- set envelope = _qlik_other_fields(document, '$[0]', 'json_object_keys(' ~ event ~ ')', 'envelope') -%}
    {{ cdc_json_members({
        '*known': cdc_without_braces(known),
        'headers': 'if(' ~ body ~ "['headers'] is null, null, " ~ headers ~ ')',
        'message': 'if(' ~ is_bare ~ ', null, ' ~ message ~ ')',
        'envelope': 'if(' ~ is_bare ~ ', ' ~ bare_message ~ ', ' ~ envelope ~ ')',
    }) }}
{%- endmacro %}

{#- The fields at one place of a message that staging does not read, as a JSON object; null where there are none.
    document, path, names: what cdc_other_members takes. place: what qlik_known_names takes. -#}
{% macro _qlik_other_fields(document, path, names, place) -%}
    concat('{', {{ cdc_other_members(document, path, qlik_known_names(place), names) }}, '}')
{%- endmacro %}
