{#- The one materialization of the package's tables. It differs from dbt's `incremental` in three ways: a run that has nothing
    to do writes nothing (cdc_is_idle), a merge can delete (`is_removed`), and what a merge applies is kept in a table
    `<model>__applied`, where Python UDFs may be called and which shows afterwards what the last run did.

    config:
      cdc_write   replace  the table holds this run's rows only
                  append   this run's rows are added
                  merge    rows with a known unique_key are updated, or deleted where is_removed, others inserted
      unique_key  list of columns, for merge
      cdc_vendor  the vendor whose messages alone the table is made of: a run that reads none of them writes nothing -#}
{% materialization cdc_table, adapter='spark' -%}
    {%- set write = config.require('cdc_write') -%}
    {%- if write not in ['replace', 'append', 'merge'] -%}
        {{ exceptions.raise_compiler_error("cdc_write is '" ~ write ~ "'; expected replace, append or merge.") }}
    {%- endif -%}
    {%- set existing = load_relation(this) -%}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set is_first_build = cdc_is_first_build() -%}

    {{ run_hooks(pre_hooks) }}
    {%- set vendor = config.get('cdc_vendor') -%}
    {%- if not is_first_build and (cdc_is_idle() or (vendor and vendor not in cdc_active_vendors())) -%}
        {%- call statement('main') -%} select 'nothing new' as result {%- endcall -%}
    {%- elif is_first_build or write == 'replace' -%}
        {%- if existing is not none and (existing.is_view or config.get('file_format') not in ['delta', 'iceberg']) -%}
            {%- do adapter.drop_relation(existing) -%}
        {%- endif -%}
        {%- call statement('main') -%} {{ create_table_as(false, target_relation, sql) }} {%- endcall -%}
    {%- elif write == 'append' -%}
        {%- call statement('main') -%}
            insert into {{ target_relation }} {{ get_select_subquery(sql) if config.get('contract').enforced else sql }}
        {%- endcall -%}
    {%- else -%}
        {%- set applied = this.incorporate(path={'identifier': this.identifier ~ '__applied'}, type='table') -%}
        {%- call statement('applied') -%} {{ create_table_as(false, applied, sql) }} {%- endcall -%}
        {%- set columns = adapter.get_columns_in_relation(target_relation) | map(attribute='name') | list -%}
        {%- call statement('main') -%}
            merge into {{ target_relation }} as target
            using {{ applied }} as applied
            on {% for column in config.require('unique_key') -%}
                target.{{ column }} = applied.{{ column }}{{ ' and ' if not loop.last }}
            {%- endfor %}
            when matched and applied.is_removed then delete
            when matched then update set
                {% for column in columns %}{{ column }} = applied.{{ column }}{{ ', ' if not loop.last }}{% endfor %}
            when not matched and not applied.is_removed then insert ({{ columns | join(', ') }})
                values ({% for column in columns %}applied.{{ column }}{{ ', ' if not loop.last }}{% endfor %})
        {%- endcall -%}
    {%- endif -%}
    {%- do persist_docs(target_relation, model) -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [target_relation]}) }}
{%- endmaterialization %}
