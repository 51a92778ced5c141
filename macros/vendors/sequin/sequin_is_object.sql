{#- True where a field of a message holds an object and not a string that looks like one; Spark gives both as the same
    text. Only where some string of the message begins with a brace the types are looked at. Reads the columns of
    stg_sequin__changes.
    field: name of the message's field. text: SQL expression of the field's text. -#}
{% macro sequin_is_object(field, text) -%}
    (
        startswith({{ text }}, '{')
        and case
            when has_text_like_an_object
                then from_json(element, '{{ field }} map<string,string>').{{ field }} is not null
            else true
        end
    )
{%- endmacro %}
