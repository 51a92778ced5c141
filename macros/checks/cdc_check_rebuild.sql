{#- Stops a rebuild where a landing batch that was read is not there any more; nothing has been written then. -#}
{% macro cdc_check_rebuild() -%}
    {%- if not cdc_is_in_a_run() or not cdc_working_table_exists('int_events') -%} {{ return('') }} {%- endif -%}
    {%- set gone = [] -%}
    {%- for spec in cdc_vendors() -%}
        {%- set missing = run_query(
            'select distinct events.landing_batch from ' ~ cdc_work_schema() ~ '.int_events as events left anti join '
            ~ cdc_raw_relation(spec.name) ~ " as raw on raw.landing_batch = events.landing_batch where events.vendor = '"
            ~ spec.name ~ "' order by 1") -%}
        {%- if missing.rows | length -%}
            {%- do gone.append(spec.name ~ ': ' ~ missing.columns[0].values() | join(', ')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if gone -%}
        {{ exceptions.raise_compiler_error(
            'A rebuild reads all raw messages again, and these landing batches are not there any more: ' ~ gone | join('; ')
            ~ '. Nothing was changed. Bring them back, or keep the events and build the marts alone from them: '
            ~ 'cdc build --full-refresh.') }}
    {%- endif -%}
{%- endmacro %}
