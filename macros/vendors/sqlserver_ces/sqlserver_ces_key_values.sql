{#- The key's values in the order in which its columns are configured, else sent; null where one is not sent.
    key_sent: SQL expression of pkkey, array<struct<columnname, value>>. configured: SQL expression, array<string>. -#}
{% macro sqlserver_ces_key_values(key_sent, configured) -%}
    {%- set values -%}
        transform(
            coalesce({{ configured }}, {{ key_sent }}.columnname),
            name -> get({{ key_sent }}.value, cast(array_position({{ key_sent }}.columnname, name) as int) - 1)
        )
    {%- endset -%}
    case
        when size({{ key_sent }}) > 0 and not exists({{ values }}, key_value -> key_value is null) then {{ values }}
    end
{%- endmacro %}
