{#- The text of a DDL statement without comments, and without what stands in literals. Quoted names stay. -#}
{% macro savegress_statement(ddl_command) -%}
    regexp_replace(
        {{ ddl_command }},
        '("[^"]*+"|`[^`]*+`)|\'[^\']*+\'|--[^\\n]*+|/[*](?s:.*?)[*]/',
        '$1'
    )
{%- endmacro %}
