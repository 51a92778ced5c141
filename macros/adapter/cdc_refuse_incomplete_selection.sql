{#- The models of a run belong together: what a run reads and the text of its views are of that run alone. What is left out would
    be taken from an earlier one, and messages be finished that nobody has read. The marts may be made without the load, from
    the changelog as it is. -#}

{#- Pre-hook of cdc_run_batches: stops a selection before anything is written, where one of its tables lacks what it stands on.
    A rebuild is a whole one: until it comes to its end no other run goes on. -#}
{% macro cdc_refuse_incomplete_selection() -%}
    {%- for one in selected_resources if one in graph.nodes and graph.nodes[one].config.materialized == 'cdc_table' -%}
        {%- do cdc_refuse_without(one, cdc_left_out(one, selected_resources)) -%}
    {%- endfor -%}
    {%- if cdc_is_rebuild() -%}
        {%- set states = 'model.cdc_changelog.cdc_row_states' -%}
        {%- do cdc_refuse_without(states, cdc_with_all_before(states) | reject('in', selected_resources) | list) -%}
    {%- endif -%}
{%- endmacro %}

{#- Stops a table that is going to be written although this invocation did not make what it stands on, however that came about:
    `dbt retry` makes what failed alone. -#}
{% macro cdc_refuse_without_what_stands_before() -%}
    {%- do cdc_refuse_without(model.unique_id, cdc_left_out(model.unique_id, graph.get(_cdc_made(), []))) -%}
{%- endmacro %}

{#- Notes that this invocation made the current model, or found that it need not. -#}
{% macro cdc_note_made() -%}
    {%- do graph.setdefault(_cdc_made(), []).append(model.unique_id) -%}
{%- endmacro %}

{% macro _cdc_made() -%}
    {{ return('cdc_made_by_' ~ invocation_id) }}
{%- endmacro %}

{#- What a table stands on and is not there; a list of ids. there: list of ids. -#}
{% macro cdc_left_out(unique_id, there) -%}
    {%- set load = cdc_with_all_before('model.cdc_changelog.cdc_loads') -%}
    {%- set needed = cdc_with_all_before(unique_id) -%}
    {%- if unique_id not in load -%}
        {%- set needed = needed | reject('in', load) | list + [
            'model.cdc_changelog.cdc_run_batches', 'model.cdc_changelog.cdc_epoch_settings',
            'model.cdc_changelog.cdc_table_settings',
        ] -%}
    {%- endif -%}
    {%- set left_out = [] -%}
    {%- for one in needed if one != unique_id and one not in there
        and graph.nodes[one].config.materialized in ['cdc_table', 'cdc_view'] -%}
        {%- do left_out.append(one) -%}
    {%- endfor -%}
    {{ return(left_out) }}
{%- endmacro %}

{#- Stops the run where something is left out. left_out: list of ids. -#}
{% macro cdc_refuse_without(unique_id, left_out) -%}
    {%- if left_out -%}
        {%- set node = graph.nodes[unique_id] -%}
        {{ exceptions.raise_compiler_error(
            node.name ~ ' was selected without ' ~ left_out | map('replace', 'model.cdc_changelog.', '') | sort | join(', ')
            ~ ', which it stands on: it would go on from what they were in an earlier run. Run the whole project (dbt run, '
            ~ 'dbt build; after an error too, instead of dbt retry), or what stands before it with it: --select +path:'
            ~ node.original_file_path) }}
    {%- endif -%}
{%- endmacro %}

{#- The ids of a model and of all models that it stands on, however far; a list. -#}
{% macro cdc_with_all_before(unique_id) -%}
    {%- set found = [unique_id] -%}
    {#- The list grows while it is walked. -#}
    {%- for one in found -%}
        {%- for parent in graph.nodes[one].depends_on.nodes if parent.startswith('model.') and parent not in found -%}
            {%- do found.append(parent) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(found) }}
{%- endmacro %}
