{#- Whether a key names no row: all its parts are null. Not `forall`: Spark generates no code for a step that has a lambda in it. -#}
{% macro cdc_is_null_key(key_values) -%}
    case
        when size({{ key_values }}) = 1 then {{ key_values }}[0] is null
        else size(array_except({{ key_values }}, array(cast(null as string)))) = 0
    end
{%- endmacro %}
