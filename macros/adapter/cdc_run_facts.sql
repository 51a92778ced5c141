{#- What this run found out when it began, one dictionary: is_idle and makes_all_rows (see the macros of these names),
    is_configured_anew (see cdc_run_batches), has_epochs (of cdc_epochs), active_vendors, and waiting_vendors, those of which
    messages wait. Read once per invocation and kept with dbt's graph, so that the models that ask for it cost no statement
    each; cdc_run_batches, which decides it, makes it be read anew (cdc_forget_run_facts). -#}
{% macro cdc_run_facts() -%}
    {%- if 'cdc_run_facts' not in graph -%}
        {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
        {%- set pending = adapter.get_relation(database=none, schema=work_schema, identifier='cdc_pending_log') -%}
        {%- set found = run_query(
            "select max(is_idle), max(makes_all_rows), max(is_configured_anew), concat_ws(',', collect_set(vendor)), "
            ~ "concat_ws(',', collect_set(waiting_vendor)), max(has_epochs) "
            ~ 'from (select is_idle, makes_all_rows, is_configured_anew, vendor, cast(null as string) as waiting_vendor, '
            ~ "contains(configuration, 'cdc_epochs') as has_epochs from " ~ work_schema ~ '.cdc_run_batches'
            ~ (' union all select null, null, null, vendor, vendor, null from ' ~ pending if pending and not cdc_is_rebuild() else '')
            ~ ')').rows[0] -%}
        {%- do graph.update({'cdc_run_facts': {
            'is_idle': cdc_is_true(found[0]),
            'makes_all_rows': cdc_is_true(found[1]),
            'is_configured_anew': cdc_is_true(found[2]),
            'active_vendors': (found[3] or '').split(',') | select | list,
            'waiting_vendors': (found[4] or '').split(',') | select | list,
            'has_epochs': cdc_is_true(found[5]),
        }}) -%}
    {%- endif -%}
    {{ return(graph['cdc_run_facts']) }}
{%- endmacro %}

{#- Post-hook of cdc_run_batches: what was found out before it was made counts no more. -#}
{% macro cdc_forget_run_facts() -%}
    {%- if execute -%}
        {%- for facts in ['cdc_run_facts', 'cdc_run_outcomes', 'cdc_run_placings', 'cdc_row_needs', 'cdc_log_features'] -%}
            {%- do graph.pop(facts, none) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{#- Whether elements of an outcome are among those of this run; or, pending, waited when it began. Asked once a run, of
    cdc_run_elements. -#}
{% macro cdc_run_has(outcome) -%}
    {%- if 'cdc_run_outcomes' not in graph -%}
        {%- do graph.update({'cdc_run_outcomes': run_query(
            'select distinct outcome from ' ~ var('cdc_work_schema', 'cdc_work') ~ '.cdc_run_elements'
            ).columns[0].values() | list}) -%}
    {%- endif -%}
    {{ return(outcome in graph['cdc_run_outcomes'] or (outcome == 'pending' and cdc_run_facts().waiting_vendors | length > 0)) }}
{%- endmacro %}

{#- A boolean out of a query's result, where it may have come as text; null is false. -#}
{% macro cdc_is_true(value) -%}
    {{ return(value | string | lower == 'true') }}
{%- endmacro %}
