{#- Joins the configuration of `cdc_tables` (alias `settings`) without multiplying rows; cdc_settings_of reads it. -#}
{% macro cdc_table_settings_join(vendor, table_name) -%}
    left join {{ ref('run_table_settings') }} as settings
        on settings.vendor = {{ vendor }} and settings.table_name = {{ table_name }}
{%- endmacro %}
