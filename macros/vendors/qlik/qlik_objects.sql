{#- JSON paths of the objects of a message whose keys must be unique, with the envelope and without it. -#}
{% macro qlik_objects() -%}
    {%- set paths = [] -%}
    {%- for body in ['$', '$.message'] -%}
        {%- for path in ['', '.headers', '.data', '.beforeData', '.lineage', '.tableStructure', '.tableStructure.tableColumns',
            '.tableColumns'] -%}
            {%- do paths.append(body ~ path) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(paths) }}
{%- endmacro %}
