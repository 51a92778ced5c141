{#- Creates a view. Hive's metastore on Derby keeps at most 32,700 characters of a view's text, so a long text loses its
    indentation; one that is still too long is refused here, with a word on what to do, instead of by the metastore. -#}
{% macro spark__create_view_as(relation, sql) -%}
    {%- set text = cdc_without_indentation(sql) if sql | length > 30000 else sql -%}
    {%- if text | length > 32700 -%}
        {{ exceptions.raise_compiler_error(
            'The view ' ~ relation ~ ' has ' ~ text | length ~ ' characters; a metastore may keep 32,700. '
            ~ 'Split the model in two.') }}
    {%- endif -%}
    create or replace view {{ relation }}
    {%- if config.persist_column_docs() %}
    ({{ get_persist_docs_column_list(model.columns, get_columns_in_query(sql)) }})
    {%- endif %}
    {{ comment_clause() }}
    {%- if config.get('contract').enforced %}
    {{ get_assert_columns_equivalent(sql) }}
    {%- endif %}
    as
    {{ text }}
{%- endmacro %}

{#- The SQL without blanks at the start of lines, empty lines and comment lines. -#}
{% macro cdc_without_indentation(sql) -%}
    {%- set lines = [] -%}
    {%- for line in sql.split('\n') if line.strip() and not line.strip().startswith('--') -%}
        {%- do lines.append(line.strip()) -%}
    {%- endfor -%}
    {{ return(lines | join('\n')) }}
{%- endmacro %}
