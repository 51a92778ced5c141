{#- Whether two row texts hold the same columns and values. Only texts of equal length and other column order are parsed. -#}
{% macro cdc_same_row(first, second) -%}
    case
        when {{ first }} <=> {{ second }} then true
        when not (length({{ first }}) <=> length({{ second }})) then false
        when json_object_keys({{ first }}) <=> json_object_keys({{ second }}) then false
        else coalesce(to_json(try_parse_json({{ first }})) = to_json(try_parse_json({{ second }})), false)
    end
{%- endmacro %}
