{#- The changes that row versions are built from (S12): all, or what lies before a source's first transaction that may not be whole. -#}
{% macro cdc_visible_changes() -%}
    {%- set plan = cdc_rows_plan() -%}
    {%- set events = ref('int_events') -%}
    {%- if plan.replaced or plan.excluded -%}
        {%- set events = cdc_effective_events(events, cdc_excluded_event_ids(plan.excluded_events)) -%}
    {%- endif -%}
    (
        select
            changes.* except (topic, `partition`, `offset`, event_index),
            {%- for column in ['topic', 'partition', 'offset', 'event_index'] %}
            {{ cdc_of_first_delivery('changes', column) }} as `{{ column }}`
            {{- ',' if not loop.last }}
            {%- endfor %}
        from {{ events }} as changes
        {{ cdc_visible_until_join('changes') }}
        where changes.status = 'change' and {{ cdc_is_visible('changes') }}
    )
{%- endmacro %}
