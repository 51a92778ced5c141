{#- The JSON object of an event's fields: the element itself, or what its variant's name wraps. Read it, do not keep it: where
    the wrapper has other keys beside the variant, they follow the object.
    element_text, tag: SQL expressions, the latter null or the name as it is written. -#}
{% macro supabase_etl_event_text(element_text, tag) -%}
    case
        when {{ tag }} is null or startswith({{ element_text }}, '"') then {{ element_text }}
        when startswith({{ element_text }}, concat('{"', {{ tag }}, '":'))
            then substring({{ element_text }}, length({{ tag }}) + 5)
        else get_json_object({{ element_text }}, concat('$[''', {{ tag }}, ''']'))
    end
{%- endmacro %}
