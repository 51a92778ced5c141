{#- Takes the values of rows out of the event store and the row versions, for `cdc erase`, which has taken them out of the raw messages. -#}
{% macro cdc_erase(row_ids, detail) -%}
    {%- do cdc_set_session() -%}
    {%- do cdc_confirm_lock(cdc_take_lock()) -%}
    {%- set work = cdc_work_schema() -%}
    {%- set ids = cdc_sql_list(row_ids) -%}
    {%- set of_the_rows = '(row_id in (' ~ ids ~ ') or row_id_before in (' ~ ids ~ '))' -%}
    {#- Segments of a split change hold its text under the change's identity. -#}
    {%- set identities = run_query(
        'select distinct identity_hash from ' ~ work ~ '.int_events where ' ~ of_the_rows ~ ' and identity_hash is not null'
    ).columns[0].values() -%}
    {%- do run_query(
        'update ' ~ work ~ ".int_events set event = null, message_key = null, headers = null where status = 'segment' and identity_hash in ("
        ~ identities | join(', ') ~ ')'
    ) if identities -%}
    {%- set emptied = [
        'event', 'message_key', 'headers', 'before', 'after', 'metadata', 'changed_columns', 'message_id', 'row_id', 'row_id_before',
    ] -%}
    {%- do run_query(
        'update ' ~ work ~ '.int_events set ' ~ emptied | join(' = null, ') ~ ' = null'
        ~ ", row_key = concat('[\"erased:', row_id, '\"]'), row_key_before = concat('[\"erased:', row_id_before, '\"]')"
        ~ ", status = 'rejected', reason = 'ERASED', reason_detail = " ~ cdc_literal(detail)
        ~ ' where ' ~ of_the_rows
    ) -%}
    {%- do run_query('delete from ' ~ work ~ '.int_row_versions where row_id in (' ~ ids ~ ')')
        if cdc_working_table_exists('int_row_versions') -%}
    {#- What the last run read stands in its own tables too; the next run makes them anew. -#}
    {%- for table in ['int_new_events', 'int_event_decisions'] -%}
        {%- do run_query('drop table if exists ' ~ work ~ '.' ~ table) -%}
    {%- endfor -%}
    {%- for table in [work ~ '.int_events', work ~ '.int_row_versions'] -%} {%- do cdc_forget_old_files(table) -%} {%- endfor -%}
    {%- for spec in cdc_vendors() if not var('cdc_raw_tables', {}).get(spec.name) -%}
        {%- do cdc_forget_old_files(source('cdc_raw', spec.name) | string) -%}
    {%- endfor -%}
    {%- do cdc_write_lock('ended') -%}
{%- endmacro %}
