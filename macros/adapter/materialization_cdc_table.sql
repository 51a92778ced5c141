{#- The one materialization of the package's tables. It differs from dbt's `incremental` in three ways: a run that has nothing
    to do writes nothing (cdc_is_idle), a merge can delete (`is_removed`), and what a merge applies is kept in a table
    `<model>__applied`, where Python UDFs may be called and which shows afterwards what the last run did.

    config:
      cdc_write   replace  the table holds this run's rows only
                  append   this run's rows are added
                  merge    rows with a known unique_key are updated, or deleted where is_removed, others inserted
      unique_key  list of columns, for merge; rows of a table that has one may be changed in place
      cdc_skipping_columns  columns that files are left out by (Delta; Iceberg keeps the ranges of the first hundred by itself)
      cdc_vendor  the vendor whose messages alone the table is made of: a run that reads none of them writes nothing
      cdc_outcome the outcome of the elements that alone the table is made of: a run that has none of it writes nothing
      cdc_all_rows true: made from scratch whenever a run makes the states of all rows
      cdc_always  true: written by a run with nothing to do as well -#}
{% materialization cdc_table, adapter='spark' -%}
    {%- set write = config.require('cdc_write') -%}
    {%- if write not in ['replace', 'append', 'merge'] -%}
        {{ exceptions.raise_compiler_error("cdc_write is '" ~ write ~ "'; expected replace, append or merge.") }}
    {%- endif -%}
    {%- set existing = load_relation(this) -%}
    {%- set target_relation = this.incorporate(type='table') -%}
    {%- set is_first_build = cdc_is_first_build() or (config.get('cdc_all_rows') and cdc_makes_all_rows()) -%}
    {%- do cdc_refuse_without_what_stands_before() -%}
    {%- do cdc_hold_lock() -%}

    {{ run_hooks(pre_hooks) }}
    {%- set vendor = config.get('cdc_vendor') -%}
    {%- set outcome = config.get('cdc_outcome') -%}
    {%- if not is_first_build and not config.get('cdc_always')
        and (cdc_is_idle() or (vendor and vendor not in cdc_active_vendors()) or (outcome and not cdc_run_has(outcome))) -%}
        {%- call noop_statement('main', 'NOTHING NEW') -%} {{ sql }} {%- endcall -%}
    {%- elif is_first_build and vendor and vendor not in cdc_active_vendors() -%}
        {{ cdc_write_empty_table(target_relation, existing, config.get('file_format')) }}
    {%- elif is_first_build or write == 'replace' -%}
        {{ cdc_write_whole_table(target_relation, existing, config.get('file_format'), sql) }}
    {%- elif write == 'append' -%}
        {%- call statement('main') -%}
            insert into {{ target_relation }} {{ get_select_subquery(sql) if config.get('contract').enforced else sql }}
        {%- endcall -%}
    {%- else -%}
        {%- set applied = this.incorporate(path={'identifier': this.identifier ~ '__applied'}, type='table') -%}
        {{ cdc_write_whole_table(applied, load_relation(applied), cdc_work_format(), sql, 'applied', 'is_removed boolean') }}
        {{ cdc_apply(target_relation, applied, config.require('unique_key'), config.get('file_format')) }}
    {%- endif -%}
    {%- do persist_docs(target_relation, model) -%}
    {{ run_hooks(post_hooks) }}
    {%- do cdc_note_made() -%}
    {{ return({'relations': [target_relation]}) }}
{%- endmaterialization %}

{#- Brings a table up to date with what a run found out: rows with a known key are updated, or deleted where is_removed, others
    inserted. A format without MERGE is written anew, unless nothing is to be applied.
    applied: relation with the table's columns and is_removed; unique_key: list of columns. -#}
{% macro cdc_apply(relation, applied, unique_key, file_format) -%}
    {%- set columns = adapter.get_columns_in_relation(relation) | map(attribute='name') | list -%}
    {%- set same_key = [] -%}
    {%- for column in unique_key -%} {%- do same_key.append('target.' ~ column ~ ' = applied.' ~ column) -%} {%- endfor -%}
    {%- if file_format in ['delta', 'iceberg'] -%}
        {%- call statement('main') -%}
            merge into {{ relation }} as target
            using {{ applied }} as applied
            on {{ same_key | join(' and ') }}
            when matched and applied.is_removed then delete
            when matched then update set
                {% for column in columns %}{{ column }} = applied.{{ column }}{{ ', ' if not loop.last }}{% endfor %}
            when not matched and not applied.is_removed then insert ({{ columns | join(', ') }})
                values ({% for column in columns %}applied.{{ column }}{{ ', ' if not loop.last }}{% endfor %})
        {%- endcall -%}
    {%- else -%}
        {%- set rows_as_applied -%}
            select {{ columns | join(', ') }} from {{ relation }} as target
            left anti join {{ applied }} as applied on {{ same_key | join(' and ') }}
            union all
            select {{ columns | join(', ') }} from {{ applied }} where not is_removed
        {%- endset -%}
        {%- if run_query('select 1 from ' ~ applied ~ ' limit 1').rows | length -%}
            {{ cdc_rewrite(relation, rows_as_applied) }}
        {%- else -%}
            {%- call noop_statement('main', 'NOTHING NEW') -%} {{ rows_as_applied }} {%- endcall -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#- Writes a table whole. One statement where the format has transactions. Else the table is made once, empty, and then
    overwritten, with the columns that its YAML tells: a run that is killed leaves a table that the next run overwrites, never a
    folder in the way. What cannot be made again (full_refresh: false) is overwritten by way of a copy.
    existing: what there is under this name, none if nothing; statement_name: name of dbt's result; further_column: name and
    type of one that the YAML does not tell. -#}
{% macro cdc_write_whole_table(relation, existing, file_format, sql, statement_name='main', further_column=none) -%}
    {%- if file_format in ['delta', 'iceberg'] -%}
        {%- if existing is not none and existing.is_view -%} {%- do adapter.drop_relation(existing) -%} {%- endif -%}
        {%- call statement(statement_name) -%}
            create or replace table {{ relation }} using {{ file_format }} {{ cdc_delta_properties(file_format) }} as
            {{ get_select_subquery(sql) if config.get('contract').enforced else sql }}
        {%- endcall -%}
    {%- else -%}
        {%- set is_there = existing is not none and not existing.is_view -%}
        {%- if is_there and config.get('full_refresh') is false -%}
            {{ cdc_rewrite(relation, sql, statement_name) }}
        {%- else -%}
            {#- What the table was made with is kept as its property, so that a look into dbt's cache is enough. -#}
            {%- set fingerprint = 'cdc.columns=' ~ local_md5(cdc_columns_with_types(relation, further_column)) -%}
            {%- if not is_there or fingerprint not in (existing.information or '') -%}
                {{ cdc_write_empty_table(relation, existing, file_format, statement_name ~ '_table', further_column) }}
            {%- endif -%}
            {%- call statement(statement_name) -%} insert overwrite table {{ relation }} by name {{ sql }} {%- endcall -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#- On Delta a table whose rows are changed in place marks them in deletion vectors instead of copying files. All others do
    without: where they are possible, each query's plan asks the table's log once more for them. And Delta keeps the ranges of a
    table's first 32 columns, whatever they are, where it is not told which ones queries leave files out by. -#}
{% macro cdc_delta_properties(file_format) -%}
    {%- set properties = [] -%}
    {%- if file_format == 'delta' -%}
        {%- if config.get('unique_key') -%} {%- do properties.append("'delta.enableDeletionVectors' = 'true'") -%} {%- endif -%}
        {%- if config.get('cdc_skipping_columns') -%}
            {%- do properties.append(
                "'delta.dataSkippingStatsColumns' = '" ~ config.get('cdc_skipping_columns') | join(',') ~ "'") -%}
        {%- endif -%}
    {%- endif -%}
    {{ 'tblproperties (' ~ properties | join(', ') ~ ')' if properties }}
{%- endmacro %}

{#- Makes a table that nothing is in yet, with the columns that its YAML tells, in place of what there is under its name. -#}
{% macro cdc_write_empty_table(relation, existing, file_format, statement_name='main', further_column=none) -%}
    {%- if existing is not none -%} {%- do adapter.drop_relation(existing) -%} {%- endif -%}
    {%- set columns = cdc_columns_with_types(relation, further_column) -%}
    {%- call statement(statement_name) -%}
        create table if not exists {{ relation }} ({{ columns }}) using {{ file_format }}
        tblproperties ('cdc.columns' = '{{ local_md5(columns) }}')
    {%- endcall -%}
{%- endmacro %}

{#- The current model's columns with the types that its YAML gives, and perhaps one more, as in a `create table`. -#}
{% macro cdc_columns_with_types(relation, further_column=none) -%}
    {%- set columns = [] -%}
    {%- for name, column in model.columns.items() -%}
        {%- if not column.data_type -%}
            {{ exceptions.raise_compiler_error('Column ' ~ name ~ ' of ' ~ relation ~ ' has no data_type in its YAML.') }}
        {%- endif -%}
        {%- do columns.append('`' ~ name ~ '` ' ~ column.data_type) -%}
    {%- endfor -%}
    {{ return((columns + [further_column] if further_column else columns) | join(', ')) }}
{%- endmacro %}
