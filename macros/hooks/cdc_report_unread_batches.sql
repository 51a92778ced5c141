{#- Ends the command red where batches were left unread because two runs died at them; everything else is done by then. -#}
{% macro cdc_report_unread_batches() -%}
    {%- if not cdc_working_table_exists('int_batch_log') or not cdc_working_table_exists('int_events') -%} {{ return('') }} {%- endif -%}
    {%- set unread = run_query(
        'select vendor, landing_batch from ' ~ cdc_batch_states() ~ ' as states left anti join ' ~ cdc_work_schema()
        ~ '.int_events as events using (vendor, landing_batch) where is_left_out and not is_set_aside order by 1, 2'
    ).rows -%}
    {%- if unread -%}
        {%- set vendor, batch = unread[0][0], unread[0][1] -%}
        {{ exceptions.raise_compiler_error(
            'Two runs died while they read ' ~ cdc_batch_names(unread) ~ '. This run left ' ~ ('them' if unread | length > 1 else 'it')
            ~ ' out, and did everything else. Give the server more memory, or make cdc_largest_message smaller, and `cdc try-again '
            ~ vendor ~ ' ' ~ batch ~ '`; or `cdc set-aside ' ~ vendor ~ ' ' ~ batch
            ~ '`, which leaves its messages in the raw table, unread.') }}
    {%- endif -%}
{%- endmacro %}
