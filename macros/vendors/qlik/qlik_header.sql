{#- One field of the message's headers. A message in the vendor's own layout was read into columns; in any other the field is
    looked for in the headers, then at the places where a custom message format puts it.
    name: the field's name as the vendor writes it. -#}
{% macro qlik_header(name) -%}
    case
        when is_plain then quick_headers.`{{ name }}`
        else coalesce(header_fields['{{ name }}'], body_fields['headers_{{ name }}'], body_fields['{{ name }}'])
    end
{%- endmacro %}
