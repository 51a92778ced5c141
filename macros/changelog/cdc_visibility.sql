{#- True where the marts show whole transactions only (var cdc_visibility: transaction), false where they show every change as
    soon as it is there (all). -#}
{% macro cdc_shows_whole_transactions() -%}
    {%- set visibility = var('cdc_visibility', 'all') -%}
    {%- if visibility not in ['all', 'transaction'] -%}
        {{ exceptions.raise_compiler_error("var cdc_visibility is '" ~ visibility ~ "'; expected all or transaction.") }}
    {%- endif -%}
    {{ return(visibility == 'transaction') }}
{%- endmacro %}

{#- The changes that the marts are made of (S12): the changelog, or of each source what lies before its first transaction that
    is not known to be whole. A relation or a select in parentheses. -#}
{% macro cdc_visible_changes() -%}
    {%- if not cdc_shows_whole_transactions() -%}
        {{ ref('cdc_changelog') }}
    {%- else -%}
        (
            select logged.*
            from {{ ref('cdc_changelog') }} as logged
            {{ cdc_visible_to_join('logged') }}
            where {{ cdc_is_visible('logged') }}
        )
    {%- endif -%}
{%- endmacro %}

{#- Joins where each source's visible changes end (alias `visible_to`), without multiplying rows. changes: alias. -#}
{% macro cdc_visible_to_join(changes) -%}
    left join {{ ref('cdc_visible_to') }} as visible_to
        on {{ changes }}.vendor = visible_to.vendor and {{ changes }}.source = visible_to.source
{%- endmacro %}

{#- SQL condition: the change lies before the transaction that its source waits for. A change without a position belongs to no
    transaction; it is hidden only where its whole epoch is. -#}
{% macro cdc_is_visible(changes) -%}
    (
        visible_to.epoch is null
        or {{ changes }}.epoch < visible_to.epoch
        or (
            {{ changes }}.epoch = visible_to.epoch
            and ({{ changes }}.position is null or {{ changes }}.position < visible_to.position)
        )
    )
{%- endmacro %}

{#- Pre-hook of cdc_row_states: notes where visible changes end, before anything is made of it. The next run makes again the
    rows of all changes that lie behind the earliest end noted since the last run that came to its end. -#}
{% macro cdc_note_visible_to() -%}
    {%- if not execute or not cdc_shows_whole_transactions() or (not cdc_is_first_build() and cdc_is_idle()) -%}
        {{ return('') }}
    {%- endif -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    insert into {{ work_schema }}.cdc_visibility_log
    select
        (select max(load_number) from {{ work_schema }}.cdc_run_batches) as run_number, vendor, source, epoch, position
    from {{ work_schema }}.cdc_visible_to
{%- endmacro %}

{#- Sources that are shown up to their last change whatever their transactions (var cdc_visibility_lifted_for), as a SQL list. -#}
{% macro cdc_sources_lifted() -%}
    {%- set names = ["''"] -%}
    {%- for source in var('cdc_visibility_lifted_for', []) -%} {%- do names.append("'" ~ cdc_escaped(source) ~ "'") -%} {%- endfor -%}
    {{ return(names | join(', ')) }}
{%- endmacro %}

{#- Joins, of each source that waits or waited, the earliest end of what was visible since the last run that came to its end
    (alias `earliest_end`): changes behind it may come into sight or go out of it without being new.
    changes: alias; watermarks: select of cdc_watermarks. -#}
{% macro cdc_earliest_end_join(changes, watermarks) -%}
    {%- set log = cdc_earlier(var('cdc_work_schema', 'cdc_work'), 'cdc_visibility_log', [
        {'name': 'run_number', 'type': 'bigint'}, {'name': 'vendor', 'type': 'string'},
        {'name': 'source', 'type': 'string'}, {'name': 'epoch', 'type': 'int'}, {'name': 'position', 'type': 'string'},
    ]) -%}
    left join (
        select vendor, source, min(struct(epoch, position)) as visible_to
        from (
            select vendor, source, epoch, position from {{ log }}
            where run_number >= (
                select coalesce(max(run_number), 0) from {{ watermarks }} where model_name = 'cdc_row_states'
            )
            union all
            select vendor, source, epoch, position from {{ ref('cdc_visible_to') }}
        ) as ends
        group by vendor, source
    ) as earliest_end
        on {{ changes }}.vendor = earliest_end.vendor and {{ changes }}.source = earliest_end.source
{%- endmacro %}

{#- SQL condition: the change lies behind the earliest end of what was visible of its source. -#}
{% macro cdc_is_behind_the_earliest_end(changes) -%}
    (
        {{ changes }}.epoch > earliest_end.visible_to.epoch
        or (
            {{ changes }}.epoch = earliest_end.visible_to.epoch
            and {{ changes }}.position >= earliest_end.visible_to.position
        )
    )
{%- endmacro %}
