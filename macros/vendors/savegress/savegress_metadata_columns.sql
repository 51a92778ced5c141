{#- What an event says beside what has a column: `metadata`, a JSON object, and the columns that it is put together of. -#}
{% macro savegress_metadata_columns(event, operation, position, source_fields, position_fields, document, batch_fields) -%}
    {%- set event_names = [
        'id', 'operation', 'type', 'source', 'schema', 'table', 'timestamp', 'transaction_id', 'position', 'before', 'after',
        'metadata', 'ddl_type', 'ddl_command',
    ] -%}
    {#- No column of its own: the step before would grow beyond what Java compiles (a test looks). -#}
    {%- set other_names = cdc_other_names(cdc_member_names(document, '$[0]'), event_names) -%}
    {%- set other_of_source = cdc_other_names(
        'json_object_keys(' ~ event ~ '.source)', ['type', 'database', 'schema', 'table', 'position']
    ) -%}
    {%- set other_of_position = cdc_other_names(
        'json_object_keys(' ~ position ~ ')', ['lsn', 'sequence', 'file', 'position', 'gtid', 'resume_token', 'cluster_time']
    ) -%}
    to_json(named_struct(
        'operation', if(lower({{ operation }}) = 'upsert', {{ operation }}, null),
        'type', case when {{ event }}.operation is not null then {{ event }}.type end,
        'source', case when {{ source_fields }} is null then {{ event }}.source else {{ source_fields }}.type end,
        'gtid', {{ position_fields }}.gtid,
        'resume_token', {{ position_fields }}.resume_token,
        'ddl_type', {{ event }}.ddl_type,
        'ddl_command', {{ event }}.ddl_command
    )) as texts,
    {{ cdc_json_members({
        '*texts': cdc_without_braces('texts'),
        'source_fields': 'case when size(' ~ other_of_source ~ ') > 0 then ' ~ event ~ '.source end',
        'position': 'case when size(' ~ other_of_position ~ ') > 0 then ' ~ position ~ ' end',
        'batch': "nullif(" ~ batch_fields ~ ", '{}')",
        '*other': cdc_members_named(document, '$[0]', other_names),
        'metadata': event ~ '.metadata',
    }) }} as metadata
{%- endmacro %}
