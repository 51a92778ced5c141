{#- A truncate of several tables as truncates of one table each, array<string> of JSON texts; null for anything else, also for
    a truncate that is rejected whatever its tables are.
    event_text, wrapped_as: SQL expressions that supabase_etl_event_columns gave. -#}
{% macro supabase_etl_truncates(event_text, wrapped_as) -%}
    {%- set event -%}
        from_json({{ event_text }}, '`type` string, start_lsn string, commit_lsn string, tx_ordinal string, '
            || 'truncated_tables array<string>, rel_ids array<string>')
    {%- endset -%}
    {%- set tables = 'coalesce(' ~ event ~ '.truncated_tables, ' ~ event ~ '.rel_ids)' -%}
    {%- set fields = cdc_json_without(event_text, "array('type', 'truncated_tables', 'rel_ids')") -%}
    case
        when
            coalesce({{ wrapped_as }}, lower({{ event }}.type)) = 'truncate' and size({{ tables }}) > 1
            and {{ supabase_etl_position(event) }} is not null and {{ fields }} is not null
            then transform({{ tables }}, truncated -> {{ cdc_json_members({
                'type': "'\"truncate\"'",
                '*fields': cdc_without_braces(fields),
                'truncated_tables': "concat('[', coalesce(truncated, 'null'), ']')",
            }) }})
    end
{%- endmacro %}
