{#- Whether the marts show whole transactions only (var cdc_visibility). -#}
{% macro cdc_shows_whole_transactions() -%}
    {%- set visibility = var('cdc_visibility', 'all') -%}
    {%- if visibility not in ['all', 'transaction'] -%}
        {{ exceptions.raise_compiler_error("var cdc_visibility is '" ~ visibility ~ "'; expected all or transaction.") }}
    {%- endif -%}
    {{ return(visibility == 'transaction') }}
{%- endmacro %}

{#- The changes that row versions are built from (S12): all, or what lies before a source's first transaction that may not be whole. -#}
{% macro cdc_visible_changes() -%}
    {%- set facts = cdc_row_facts() -%}
    {%- set events = cdc_events_of_marts() if facts.replaced or facts.excluded else ref('int_events') -%}
    (
        select
            changes.* except (topic, `partition`, `offset`, event_index),
            {%- for column in ['topic', 'partition', 'offset', 'event_index'] %}
            if(first_delivery is null, changes.`{{ column }}`, first_delivery.`{{ column }}`) as `{{ column }}`
            {{- ',' if not loop.last }}
            {%- endfor %}
        from {{ events }} as changes
        {{ cdc_visible_until_join('changes') }}
        where changes.status = 'change' and {{ cdc_is_visible('changes') }}
    )
{%- endmacro %}

{#- Joins what cdc_is_visible needs (alias `visible_until`) to a relation of events. -#}
{% macro cdc_visible_until_join(events) -%}
    {%- if cdc_shows_whole_transactions() -%}
    left join {{ ref('int_visible_until') }} as visible_until
        on {{ events }}.vendor = visible_until.vendor and {{ events }}.source = visible_until.source
    {%- endif -%}
{%- endmacro %}

{#- Whether a change lies before the first transaction of its source that is not known to be whole. -#}
{% macro cdc_is_visible(events) -%}
    {%- if not cdc_shows_whole_transactions() -%} {{ return('true') }} {%- endif -%}
    (
        visible_until.epoch is null
        or {{ events }}.epoch < visible_until.epoch
        or (
            {{ events }}.epoch = visible_until.epoch
            and ({{ events }}.position is null or {{ events }}.position < visible_until.position)
        )
    )
{%- endmacro %}

{#- The changes that come into view, or leave it (is_hidden), since the versions were built (S12). -#}
{% macro cdc_changes_that_move_into_view() -%}
    (
        select
            changes.*,
            not {{ cdc_is_visible('changes') }} as is_hidden
        from {{ cdc_events_of_marts() }} as changes
        left join (
            select vendor, source, max(struct(latest.epoch, latest.position)) as place
            from {{ cdc_earlier('int_row_versions', cdc_columns(
                'vendor string; source string; latest struct<epoch: int, position: string>; is_void boolean'
            )) }} as versions
            where latest is not null and not is_void
            group by vendor, source
        ) as shown_to on changes.vendor = shown_to.vendor and changes.source = shown_to.source
        {{ cdc_visible_until_join('changes') }}
        where
            changes.status = 'change'
            and (
                shown_to.place is null
                or struct(changes.epoch, changes.position) > shown_to.place
                or struct(changes.epoch, changes.position) >= struct(visible_until.epoch, visible_until.position)
            )
    )
{%- endmacro %}
