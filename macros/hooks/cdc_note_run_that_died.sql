{#- Notes the landing batches that a run had begun to read and not stored when it died. -#}
{% macro cdc_note_run_that_died() -%}
    {%- if cdc_is_rebuild() or not cdc_working_table_exists('run_landing_batches') -%} {{ return('') }} {%- endif -%}
    {%- set unread = run_query(
        'select vendor, landing_batch from ' ~ cdc_work_schema() ~ '.run_landing_batches as batches left anti join '
        ~ cdc_stored_events() ~ ' as events using (vendor, landing_batch) where vendor is not null'
    ).rows -%}
    {%- if unread -%}
        {%- do cdc_note_batches(unread, 'died') -%}
        {{ log(
            'The last run died while it read ' ~ unread | length ~ ' landing batch' ~ ('es' if unread | length > 1 else '')
            ~ ': ' ~ cdc_batch_names(unread) ~ '.', info=true) }}
    {%- endif -%}
{%- endmacro %}
