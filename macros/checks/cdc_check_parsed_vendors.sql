{#- Stops a run whose models were parsed before a vendor's files were added. -#}
{% macro cdc_check_parsed_vendors() -%}
    {%- for spec in cdc_vendors() -%}
        {%- for reader, part in [('int_new_events', spec.changes_model), ('cdc_table_schemas', spec.columns_model)]
            if part and 'model.cdc_changelog.' ~ part not in graph.nodes['model.cdc_changelog.' ~ reader].depends_on.nodes -%}
            {%- do exceptions.raise_compiler_error(
                "The files of vendor " ~ spec.name ~ " are new: dbt's last parse of this project does not hold " ~ part
                ~ ". Run this command once with --no-partial-parse."
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}
