{#- One field of the message's headers. A message in the vendor's own layout was read into columns; in any other the field is
    looked for in the headers, then at the places where a custom message format puts it.
    name: the field's name as the vendor writes it; may_be_long: whether a converter may have made it a number so long that it
    was guarded. -#}
{% macro qlik_header(name, may_be_long=false) -%}
    {%- set told -%}
        coalesce(header_fields['{{ name }}'], body_fields['headers_{{ name }}'], body_fields['{{ name }}'])
    {%- endset -%}
    case
        when is_plain then quick_headers.`{{ name }}`
        else {{ cdc_unguarded(told) if may_be_long else told }}
    end
{%- endmacro %}
