{#- Post-hook of a mart: notes in cdc_watermarks up to which load of the changelog it is made (this run's), and under which list of columns
    that open no version. run_number: the run that noted it. -#}
{% macro cdc_record_watermark() -%}
    {%- if not execute or (not cdc_is_first_build() and cdc_is_idle()) -%}
        {{ return('') }}
    {%- endif -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    insert into {{ work_schema }}.cdc_watermarks
    select
        '{{ this.identifier }}' as model_name,
        (select max(load_number) from {{ work_schema }}.cdc_run_batches) as load_number,
        (select max(history_configuration) from {{ work_schema }}.cdc_run_batches) as history_configuration,
        (select max(load_number) from {{ work_schema }}.cdc_run_batches) as run_number
    {%- if cdc_is_rebuild() %}
    union all
    select 'cdc_rebuild_done' as model_name, cast({{ cdc_run_started_micros() }} as bigint), cast(null as string), cast(null as bigint)
    {%- endif %}
{%- endmacro %}
