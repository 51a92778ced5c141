{#- One of the headers of a message; null where it is empty. A custom message format puts it into the body, with the prefix
    headers_ or without. header: SQL expression of the headers, or of the body where there are none, map<string,string>.
    name: the header's name as the vendor writes it. -#}
{% macro qlik_header(header, name) -%}
    nullif(coalesce({{ header }}['headers_{{ name }}'], {{ header }}['{{ name }}']), '')
{%- endmacro %}
