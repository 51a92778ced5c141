{#- Stops a run whose working tables, or marts, lie in several schemas, or all in one: hooks and lock look for each kind in one schema. -#}
{% macro cdc_check_schemas() -%}
    {%- set work, public = cdc_work_schema(), cdc_schema() -%}
    {%- set elsewhere = [] -%}
    {%- for node in graph.nodes.values() | sort(attribute='unique_id')
        if node.package_name == 'cdc_changelog' and node.resource_type in ['model', 'seed'] -%}
        {%- set folder = node.fqn[1] -%}
        {%- set expected = work if folder in ['staging', 'intermediate', 'config'] else public if folder == 'marts' else node.schema -%}
        {%- if node.config.materialized != 'ephemeral' and node.schema != expected -%}
            {%- do elsewhere.append(node.name ~ ' in ' ~ node.schema ~ ' (expected ' ~ expected ~ ')') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if elsewhere -%}
        {{ exceptions.raise_compiler_error(
            'Models of this project lie in several schemas, and nothing was written: ' ~ elsewhere[:5] | join('; ')
            ~ '. The vars cdc_schema and cdc_work_schema say where they belong; take other schemas of these models out of the configuration.') }}
    {%- endif -%}
    {%- if work == public -%}
        {{ exceptions.raise_compiler_error(
            'Marts and working tables would lie in one schema, ' ~ work ~ ', and nothing was written. Give the vars cdc_schema and '
            ~ 'cdc_work_schema different names.') }}
    {%- endif -%}
{%- endmacro %}
