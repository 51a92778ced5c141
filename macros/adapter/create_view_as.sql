{#- Creates a view. Hive's metastore on Derby keeps at most 32,700 characters of a view's text, so a long text loses its
    indentation; one that is still too long is refused here, with a word on what to do, instead of by the metastore. -#}
{% macro spark__create_view_as(relation, sql) -%}
    {%- set text = cdc_without_indentation(sql) if sql | length > 30000 else sql -%}
    {%- if text | length > 32700 -%}
        {{ exceptions.raise_compiler_error(
            'The view ' ~ relation ~ ' has ' ~ text | length ~ ' characters; a metastore may keep 32,700. '
            ~ 'Split the model in two.') }}
    {%- endif -%}
    {{ dbt.spark__create_view_as(relation, text) }}
{%- endmacro %}

{#- The SQL without blanks at the start of lines, empty lines and comment lines. -#}
{% macro cdc_without_indentation(sql) -%}
    {%- set lines = [] -%}
    {%- for line in sql.split('\n') if line.strip() and not line.strip().startswith('--') -%}
        {%- do lines.append(line.strip()) -%}
    {%- endfor -%}
    {{ return(lines | join('\n')) }}
{%- endmacro %}
