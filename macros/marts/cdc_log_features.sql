{#- Which kinds of changes the changelog holds when the run's load is finished, one dictionary: key_changes; barriers (truncates,
    which have no row, and changes of later epochs, which may reset their table); special (changes that one window over full
    images in position order does not do for: partial images, no position, key changes). Asked once a run, so that what is kept
    of files (ranges, counts of nulls) leaves out nearly all of them; all of it where nothing is known. -#}
{% macro cdc_log_features() -%}
    {%- set changelog = adapter.get_relation(database=none, schema=var('cdc_schema', 'cdc'), identifier='cdc_changelog')
        if cdc_run_has_work() else none -%}
    {%- if changelog is none -%}
        {{ return({'key_changes': true, 'barriers': true, 'special': true}) }}
    {%- endif -%}
    {%- if 'cdc_log_features' not in graph -%}
        {%- set query -%}
            select
                count_if(row_id_before is not null) > 0,
                count_if(operation = 'truncate' or epoch > 0) > 0,
                count_if(row_id_before is not null or position is null) > 0
                or (
                    select count(*) > 0
                    from {{ changelog }}
                    where
                        operation in ('insert', 'update', 'snapshot')
                        and (after_image is null or after_image <> 'full')
                )
            from {{ changelog }}
            where row_id_before is not null or row_id is null or epoch > 0 or position is null
        {%- endset -%}
        {%- set found = run_query(query).rows[0] -%}
        {%- do graph.update({'cdc_log_features': {
            'key_changes': cdc_is_true(found[0]), 'barriers': cdc_is_true(found[1]), 'special': cdc_is_true(found[2]),
        }}) -%}
    {%- endif -%}
    {{ return(graph['cdc_log_features']) }}
{%- endmacro %}
