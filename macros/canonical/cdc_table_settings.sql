{#- Joins the configuration of `cdc_tables` (alias `settings`) without multiplying rows; cdc_settings_of reads it. -#}
{% macro cdc_table_settings_join(vendor, table_name) -%}
    left join {{ ref('run_table_settings') }} as settings
        on settings.vendor = {{ vendor }} and settings.table_name = {{ table_name }}
{%- endmacro %}

{#- The settings of a table. Look-ups in a map: a lambda over lines would cost every event a copy of its row (docs/benchmarks.md). -#}
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
