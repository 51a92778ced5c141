{#- True where a row image was sent and is no JSON object (a string that holds the text of one is no object either).
    image: its text; keys: what json_object_keys gave for it; name: the image's name in the message. -#}
{% macro qlik_is_no_object(image, keys, name) -%}
    (
        {{ image }} is not null
        and (
            {{ keys }} is null
            or (
                coalesce(message_text, body) rlike '"{{ name }}"\\s*:\\s*"\\s*[{]'
                and try_variant_get(
                    try_parse_json(coalesce(message_text, body)), '$.{{ name }}', 'map<string,variant>'
                ) is null
            )
        )
    )
{%- endmacro %}
