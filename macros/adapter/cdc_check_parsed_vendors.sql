{#- Stops a run whose models were parsed before a vendor's files were added: dbt reads again only the files that have changed,
    and no model that lists the vendors has. -#}
{% macro cdc_check_parsed_vendors() -%}
    {%- set parsed = graph.nodes['model.cdc_changelog.cdc_run_elements'].depends_on.nodes -%}
    {%- for spec in cdc_vendors() if 'model.cdc_changelog.' ~ spec.changes_model not in parsed -%}
        {%- do exceptions.raise_compiler_error(
            "The files of vendor " ~ spec.name ~ " are new: dbt's last parse of this project knows nothing of "
            ~ spec.changes_model ~ ". Run this command once with --no-partial-parse."
        ) -%}
    {%- endfor -%}
{%- endmacro %}
