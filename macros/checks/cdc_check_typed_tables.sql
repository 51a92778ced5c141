{#- Stops where cdc_typed_tables is no mapping, or names a table both with a schema and without: its rows would count twice. -#}
{% macro cdc_check_typed_tables(typed_tables) -%}
    {%- if typed_tables is not mapping -%}
        {{ exceptions.raise_compiler_error(
            "cdc_typed_tables is '" ~ typed_tables ~ "'; expected models and their tables, like {orders: public.orders}.") }}
    {%- endif -%}
    {%- for table in typed_tables.values() if '.' in table and table.split('.', 1)[1] in typed_tables.values() -%}
        {{ exceptions.raise_compiler_error(
            'cdc_typed_tables names ' ~ table ~ ' and ' ~ table.split('.', 1)[1] ~ '; expected one of them, for all models of the table.') }}
    {%- endfor -%}
{%- endmacro %}
