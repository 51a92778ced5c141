{#- What is found out once landing batches and schema messages have been read. The schema models, and what stands before them, must not ask:
    the answer is kept for the whole run. -#}
{% macro cdc_run_facts() -%}
    {%- if not cdc_is_in_a_run() or not _cdc_exists('run_landing_batches') -%}
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
            from {{ cdc_events_that_count(cdc_event_store()) }} as events
            where
                status = 'pending'
                or {{ cdc_is_large_message_to_read() }}
                -- How a change was joined may have to be looked at again.
                or (
                    status in ('segment', 'rejected')
                    and schema_scope is not null
                    and vendor in (select batches.vendor from {work}.run_landing_batches as batches)
                )
            {%- for spec in cdc_vendors() if spec.schemas_model and _cdc_exists(spec.schemas_model) %}
            union all
            select '{{ spec.name }}' as vendor, true as waits from {work}.{{ spec.schemas_model }}
            where load_number > (select max(last_load_number) from {work}.run_landing_batches)
            {%- endfor %}
        )
        select
            concat_ws(',', collect_set(vendor)),
            concat_ws(',', collect_set(vendor) filter (where waits)),
            (select count(*) > 0 from {work}.cdc_epochs),
            (select count(*) > 0 from {work}.cdc_excluded_events)
        from vendors
    {%- endset -%}
    {%- set found = cdc_asked_once('run facts', query) -%}
    {{ return({
        'active_vendors': (found[0] or '').split(',') | select | list,
        'waiting_vendors': (found[1] or '').split(',') | select | list,
        'has_epochs': cdc_is_true(found[2]),
        'has_excluded_events': cdc_is_true(found[3]),
    }) }}
{%- endmacro %}

{#- Whether models are being built: elsewhere (parsing, docs, unit tests) all of a model's text is wanted. -#}
{% macro cdc_is_in_a_run() -%}
    {{ return(execute and flags.WHICH in ['run', 'build'] and not cdc_is_unit_test()) }}
{%- endmacro %}

{#- Whether a unit test is compiled: it brings all that it needs. -#}
{% macro cdc_is_unit_test() -%}
    {{ return(model is defined and model.resource_type == 'unit_test') }}
{%- endmacro %}

{#- A boolean out of a query's result, where it may have come as text; null is false. -#}
{% macro cdc_is_true(value) -%}
    {{ return(value | string | lower == 'true') }}
{%- endmacro %}

{#- Whether a working table is there. -#}
{% macro _cdc_exists(identifier) -%}
    {{ return(adapter.get_relation(database=none, schema=cdc_work_schema(), identifier=identifier) is not none) }}
{%- endmacro %}

{#- The first row that a question gives, asked once per run under its name: later the question may read other tables, such as those that
    the run has made since, and the answer stays. {work} in the query stands for the schema of working tables. -#}
{% macro cdc_asked_once(question, query) -%}
    {%- set key = question ~ ' ' ~ invocation_id -%}
    {%- if key not in graph -%}
        {%- do graph.update({key: run_query(query.replace('{work}', cdc_work_schema())).rows[0]}) -%}
    {%- endif -%}
    {{ return(graph[key]) }}
{%- endmacro %}
