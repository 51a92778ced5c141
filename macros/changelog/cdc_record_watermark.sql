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

{#- Pre-hook of cdc_row_states: notes that the states of all rows are going to be made, so that a run which is killed amid that is
    made good by one that makes all of them, whatever else has changed back since. -#}
{% macro cdc_note_all_rows_begun() -%}
    {%- if not execute or not cdc_makes_all_rows() -%} {{ return('') }} {%- endif -%}
    {{ cdc_note_row_states_begun('cdc_run_batches') }}
{%- endmacro %}

{#- The statement that notes it. loads: the work table whose last load is the one that the states will be made up to. -#}
{% macro cdc_note_row_states_begun(loads) -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    insert into {{ work_schema }}.cdc_watermarks
    select
        'cdc_row_states_begun' as model_name,
        max(load_number) as load_number,
        cast(null as string) as history_configuration,
        max(load_number) as run_number
    from {{ work_schema }}.{{ loads }}
{%- endmacro %}
