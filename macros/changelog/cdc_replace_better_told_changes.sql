{#- Pre-hook of cdc_changelog: a change that this run tells better than the changelog has it is replaced in place. That is a
    delivery with a smaller counter or an earlier time (S3), or the same message read again with a schema message that arrived late. The row
    keys it stood under before are kept, so that the marts still touch those rows. Writes nothing in the usual case. -#}
{% macro cdc_replace_better_told_changes() -%}
    {%- if not execute or load_relation(this) is none or not cdc_run_places('replace') -%}
        {{ return('') }}
    {%- endif -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    {%- set kept = [
        'change_id', 'vendor', 'source', 'landing_batch', 'topic', 'partition', 'offset', 'event_index', 'message_id',
        'metadata', 'warnings', 'identity_hash', 'first_load_number', 'former_row_ids', 'load_number',
    ] -%}
    {%- set better -%}
        (
            select elements.*, (select max(load_number) from {{ work_schema }}.cdc_run_batches) as load_number
            from {{ work_schema }}.cdc_run_elements as elements
            left semi join {{ work_schema }}.cdc_run_exceptions as exceptions
                on exceptions.element_id = elements.element_id and exceptions.placing = 'replace'
        )
    {%- endset -%}
    {%- set former_row_ids = 'array_compact(array_union(coalesce(target.former_row_ids, array()), '
        ~ 'array(target.row_id, target.row_id_before)))' -%}
    {%- if config.get('file_format') in ['delta', 'iceberg'] %}
    merge into {{ this }} as target
    using {{ better }} as better
    on target.change_id = better.change_id
    when matched then update set
        {%- for column in cdc_changelog_columns() if column.name not in kept %}
        `{{ column.name }}` = better.`{{ column.name }}`,
        {%- endfor %}
        former_row_ids = {{ former_row_ids }},
        load_number = better.load_number
    {%- else -%}
    {%- set rows_as_told_better -%}
        select
            {%- for column in cdc_changelog_columns() %}
            {%- set name = '`' ~ column.name ~ '`' %}
            {%- if column.name == 'former_row_ids' %}
            if(better.change_id is null, target.{{ name }}, {{ former_row_ids }}) as {{ name }}
            {%- elif column.name in kept and column.name != 'load_number' %}
            target.{{ name }}
            {%- else %}
            if(better.change_id is null, target.{{ name }}, better.{{ name }}) as {{ name }}
            {%- endif %}
            {{- ',' if not loop.last }}
            {%- endfor %}
        from {{ this }} as target
        left join {{ better }} as better on target.change_id = better.change_id
    {%- endset -%}
    {{ cdc_rewrite(this, rows_as_told_better, 'better_told') }}
    {%- endif -%}
{%- endmacro %}
