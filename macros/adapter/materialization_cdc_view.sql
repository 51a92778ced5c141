{#- A view that is created again only where something differs: its own text or descriptions, the text of any model, or the
    version of dbt. Most runs change no view, and creating one costs as much as a small query. `--full-refresh` creates it in
    any case. -#}
{% materialization cdc_view, adapter='spark' %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set target_relation = this.incorporate(type='view') -%}
    {{ run_hooks(pre_hooks) }}
    {%- set is_there = existing is not none and existing.is_view and not flags.FULL_REFRESH
        and ('cdc.text=' ~ cdc_view_fingerprint(sql)) in (existing.information or '') -%}
    {%- if is_there -%}
        {%- call noop_statement('main', 'VIEW UNCHANGED') -%} {{ sql }} {%- endcall -%}
    {%- else -%}
        {%- if existing is not none and not existing.is_view -%} {%- do adapter.drop_relation(existing) -%} {%- endif -%}
        {%- call statement('main') -%} {{ get_create_view_as_sql(target_relation, sql) }} {%- endcall -%}
    {%- endif -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [target_relation]}) }}
{% endmaterialization %}

{#- What a view depends on, as a hash: kept with the view as the table property `cdc.text`. -#}
{% macro cdc_view_fingerprint(sql) -%}
    {%- if 'cdc_models' not in graph -%}
        {%- set checksums = [] -%}
        {%- for node in graph.nodes.values() | sort(attribute='unique_id') if node.resource_type == 'model' -%}
            {%- do checksums.append(node.checksum.checksum) -%}
        {%- endfor -%}
        {%- do graph.update({'cdc_models': local_md5(checksums | join(' '))}) -%}
    {%- endif -%}
    {{ return(local_md5([sql, model.columns | string, graph['cdc_models'], dbt_version] | join('\n'))) }}
{%- endmacro %}
