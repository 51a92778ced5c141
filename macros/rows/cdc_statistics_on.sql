{#- Table properties that keep ranges of some columns alone, by which files are left out (Delta; Iceberg keeps them for all). -#}
{% macro cdc_statistics_on(columns) -%}
    {{ return(
        {'delta.dataSkippingStatsColumns': columns | join(',')} if env_var('CDC_TABLE_FORMAT', 'delta') == 'delta'
        else {'write.metadata.metrics.max-inferred-column-defaults': '100'}
    ) }}
{%- endmacro %}
