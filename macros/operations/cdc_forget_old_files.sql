{#- Deletes the files of a table that hold rows as they were before they were updated or deleted, at once and not after the table's own time. -#}
{% macro cdc_forget_old_files(table) -%}
    {%- if env_var('CDC_TABLE_FORMAT', 'delta') == 'delta' -%}
        {#- Rows that are only marked as deleted are written out of their files first. -#}
        {%- do run_query('reorg table ' ~ table ~ ' apply (purge)') -%}
        {%- set check = 'spark.databricks.delta.retentionDurationCheck.enabled' -%}
        {%- do run_query('set ' ~ check ~ ' = false') -%}
        {%- do cdc_vacuum(table, 'retain 0 hours') -%}
        {%- do run_query('reset ' ~ check) -%}
    {%- else -%}
        {%- do run_query("call system.rewrite_data_files(table => '" ~ table ~ "', options => map('rewrite-all', 'true'))") -%}
        {%- do run_query(
            "call system.expire_snapshots(table => '" ~ table ~ "', older_than => timestamp '"
            ~ run_query('select current_timestamp()').rows[0][0] ~ "', retain_last => 1)") -%}
    {%- endif -%}
{%- endmacro %}
