{#- The settings of a table. Look-ups in a map: a lambda over lines would cost every event a copy of its row (docs/benchmarks.md). -#}
{% macro cdc_settings_of(source, schema_name) -%}
    coalesce(
        {%- for scope in [
            'concat(' ~ source ~ ", '\\n', " ~ schema_name ~ ')', 'concat(' ~ source ~ ", '\\n*')",
            "concat('*\\n', " ~ schema_name ~ ')', "'*\\n*'",
        ] %}
        try_element_at(settings.settings_by_scope, {{ scope }}){{ ',' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}
