{#- Stops `dbt seed`, with which every warehouse begins, on a server that has no Python functions where they are to be called. -#}
{% macro cdc_check_functions() -%}
    {#- The catalog of Iceberg lists its own functions alone. -#}
    {%- if not run_query("show all functions in spark_catalog.default like 'cdc_fold_rows'").rows | length -%}
        {{ exceptions.raise_compiler_error(
            'This server has none of the Python functions of the package, such as cdc_fold_rows. Start it with '
            ~ '`cdc serve` or cdc_changelog/server/serve.py, or call python_udfs.registry.register_all(spark) in it. Where that is not '
            ~ 'possible: Set cdc_functions_in: sql among the vars of dbt_project.yml; docs/server.md says what that costs.') }}
    {%- endif -%}
{%- endmacro %}
