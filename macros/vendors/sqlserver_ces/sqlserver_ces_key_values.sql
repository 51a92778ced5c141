{#- The key's values in the order in which its columns are configured, else sent; null where a value is not sent. -#}
{% macro sqlserver_ces_key_values(key_sent, configured) -%}
    transform(
        coalesce({{ configured }}, {{ key_sent }}.columnname),
        name -> get({{ key_sent }}.value, cast(array_position({{ key_sent }}.columnname, name) as int) - 1)
    )
{%- endmacro %}
