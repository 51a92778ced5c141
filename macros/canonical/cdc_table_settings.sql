{#- Joins the configuration of `cdc_tables` to a relation of one vendor's events, without multiplying rows.
    vendor: SQL expression; table_name: SQL expression. Gives the alias `settings`; read it with cdc_settings_of. -#}
{% macro cdc_table_settings_join(vendor, table_name) -%}
    left join {{ ref('int_table_settings') }} as settings
        on settings.vendor = {{ vendor }} and settings.table_name = {{ table_name }}
{%- endmacro %}

{#- The settings that a line of `cdc_tables` can set: arrays but for the text replica_identity. -#}
{% macro cdc_table_setting_names() -%}
    {{ return(['key_columns', 'history_ignored_columns', 'replica_identity', 'column_names']) }}
{%- endmacro %}

{#- The settings of a table, a struct of cdc_table_setting_names: each of the line that fits best of those that set it (an exact
    source beats `*`, then an exact schema does), null where none does. Look-ups in a map that holds each source and schema that
    lines name: a lambda over the lines would cost every event a copy of its row (docs/benchmarks.md). -#}
{% macro cdc_settings_of(source, schema_name) -%}
    coalesce(
        {%- for place in [
            'concat(' ~ source ~ ", '\\n', " ~ schema_name ~ ')', 'concat(' ~ source ~ ", '\\n*')",
            "concat('*\\n', " ~ schema_name ~ ')', "'*\\n*'",
        ] %}
        try_element_at(settings.by_place, {{ place }}){{ ',' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}
