{#- The key's values in the order in which its columns are configured, else sent; null where one is not told.
    key_told: SQL expression of pkkey, array<struct<columnname, value>>. configured: SQL expression, array<string>. -#}
{% macro sqlserver_ces_key_values(key_told, configured) -%}
    {%- set values -%}
        transform(
            coalesce({{ configured }}, {{ key_told }}.columnname),
            name -> get({{ key_told }}.value, cast(array_position({{ key_told }}.columnname, name) as int) - 1)
        )
    {%- endset -%}
    case
        when size({{ key_told }}) > 0 and not exists({{ values }}, key_value -> key_value is null) then {{ values }}
    end
{%- endmacro %}
