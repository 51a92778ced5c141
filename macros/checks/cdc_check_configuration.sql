{#- Stops the run where the configuration changed in a way that events decoded before would now become something else. -#}
{% macro cdc_check_configuration(now, recorded) -%}
    {%- set changed_lines -%}
        with loads as (
            select configured_from as load_number, lead(configured_from) over (order by configured_from) as next_load_number
            from (select distinct load_number as configured_from from {{ recorded }})
        ),
        changed as (
            select loads.*, recorded.line, false as is_new
            from loads
            inner join {{ recorded }} as recorded on loads.load_number = recorded.load_number
            where recorded.line not in (select now.line from ({{ now }}) as now)
            union all
            select loads.*, now.line, true as is_new
            from loads
            cross join ({{ now }}) as now
            left anti join {{ recorded }} as recorded on loads.load_number = recorded.load_number and now.line = recorded.line
        ),
        settings as (
            select *, from_json(
                line, 'setting string, vendor string, source string, schema_name string, table_name string, starts_at timestamp, '
                || 'first_landing_batch bigint'
            ) as line_of
            from changed
        )
        select * from settings
        where line_of.setting not in (
            'history_ignored_columns', 'cdc_excluded_events', 'cdc_visibility', 'cdc_visibility_lifted_for'
        )
    {%- endset -%}
    {%- if run_query(changed_lines ~ ' limit 1').rows | length == 0 -%} {{ return('') }} {%- endif -%}
    {%- set contradicted = run_query(
        'select distinct changed.line from (' ~ changed_lines ~ ') as changed inner join ' ~ cdc_effective_events(cdc_stored_events())
        ~ ' as events on ' ~ _cdc_setting_decides('changed', 'events') ~ ' order by 1'
    ).columns[0].values() -%}
    {%- if contradicted -%}
        {{ exceptions.raise_compiler_error(
            'The configuration changed for messages that were read already: ' ~ contradicted | join('; ')
            ~ '. Rows read before and after it would contradict each other. Run `make rebuild`, which decodes all raw messages '
            ~ 'again, or take the change back: the seeds as they were, then `make run`, or `dbt seed` before `dbt run`.') }}
    {%- endif -%}
{%- endmacro %}

{#- Whether a changed line of the configuration has a say in a stored event. -#}
{% macro _cdc_setting_decides(changed, event) -%}
    {{ event }}.load_number >= {{ changed }}.load_number
    and ({{ changed }}.next_load_number is null or {{ event }}.load_number < {{ changed }}.next_load_number)
    and ({{ changed }}.line_of.vendor is null or trim({{ changed }}.line_of.vendor) = {{ event }}.vendor)
    {%- for column in ['source', 'schema_name', 'table_name'] %}
    and coalesce(nullif(trim({{ changed }}.line_of.{{ column }}), ''), '*') in ('*', {{ event }}.{{ column }})
    {%- endfor %}
    and case {{ changed }}.line_of.setting
        -- A reject that the setting may cure: which those are is known of a key alone.
        when 'cdc_tables' then {{ event }}.row_id is not null or ({{ event }}.status = 'rejected' and {{ event }}.reason = 'NULL_KEY')
        when 'cdc_epochs'
            then {{ event }}.status = 'change' and coalesce(
                coalesce({{ event }}.committed_at, {{ event }}.snapshot_at) >= {{ changed }}.line_of.starts_at,
                {{ event }}.committed_at is null and {{ event }}.snapshot_at is null
                and {{ event }}.landing_batch >= {{ changed }}.line_of.first_landing_batch,
                {{ changed }}.line_of.starts_at is null and {{ changed }}.line_of.first_landing_batch is null
            )
        -- A source that is named now releases what waited; one that is named no more may have changes without a time.
        when 'cdc_sources_without_transactions'
            then not {{ changed }}.is_new and {{ event }}.status = 'change' and {{ event }}.committed_at is null
        else {{ event }}.status in ('change', 'rejected')
    end
{%- endmacro %}
