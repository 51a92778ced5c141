{#- The cells of a row: the array inside {"values": […]} where it is written so, else the text as it is (an array, or an
    object name → value).
    text: SQL expression, compact JSON text of a row. -#}
{% macro supabase_etl_cells(text) -%}
    case
        when startswith({{ text }}, '{"values":[')
            then case
                when size(json_object_keys({{ text }})) = 1 then substring({{ text }}, 11, length({{ text }}) - 11)
                else {{ text }}
            end
        when {{ text }} rlike '^\\{"type":"(?i:full|key)",' then get_json_object({{ text }}, '$.values')
        else {{ text }}
    end
{%- endmacro %}
