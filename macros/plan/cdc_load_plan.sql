{#- What is found out once landing batches and schema messages have been read. The schema models, and what stands before them, must not ask:
    the answer is kept for the whole run. -#}
{% macro cdc_load_plan() -%}
    {%- if not cdc_is_in_a_run() or not cdc_working_table_exists('run_landing_batches') -%}
        {%- set all_vendors = cdc_vendors() | map(attribute='name') | list -%}
        {{ return({
            'active_vendors': all_vendors, 'waiting_vendors': all_vendors,
            'has_epochs': true, 'has_excluded_events': true,
        }) }}
    {%- endif -%}
    {%- set query -%}
        with vendors as (
            select vendor, false as waits from {work}.run_landing_batches
            union all
            select vendor, true as waits
            from {{ cdc_effective_events(cdc_stored_events()) }} as events
            where
                status = 'pending'
                or {{ cdc_is_large_message_to_read() }}
                -- How a change was joined may have to be looked at again.
                or (
                    status in ('segment', 'rejected')
                    and schema_scope is not null
                    and vendor in (select batches.vendor from {work}.run_landing_batches as batches)
                )
            {%- for spec in cdc_vendors() if spec.schemas_model and cdc_working_table_exists(spec.schemas_model) %}
            union all
            select '{{ spec.name }}' as vendor, true as waits from {work}.{{ spec.schemas_model }}
            where load_number > (select max(last_load_number) from {work}.run_landing_batches)
            {%- endfor %}
        )
        select
            concat_ws(',', collect_set(vendor)) as active_vendors,
            concat_ws(',', collect_set(vendor) filter (where waits)) as waiting_vendors,
            (select count(*) > 0 from {{ cdc_seed_relation('cdc_epochs') }}) as has_epochs,
            (select count(*) > 0 from {{ cdc_seed_relation('cdc_excluded_events') }}) as has_excluded_events
        from vendors
    {%- endset -%}
    {%- set found = cdc_cached_query('load plan', query) -%}
    {{ return({
        'active_vendors': (found['active_vendors'] or '').split(',') | select | list,
        'waiting_vendors': (found['waiting_vendors'] or '').split(',') | select | list,
        'has_epochs': cdc_is_true(found['has_epochs']),
        'has_excluded_events': cdc_is_true(found['has_excluded_events']),
    }) }}
{%- endmacro %}
