{#- The configuration in force as a select of (line, is_for_marts_alone): one line of JSON for each thing that somebody set. Lines
    that are for the marts alone say what is made of changes; every other one decides what an element becomes. -#}
{% macro cdc_configuration_lines() -%}
    {%- set tables = ['cdc_tables'] + (['story_cdc_tables'] if var('cdc_fixtures', false) | as_bool else []) -%}
    {%- for seed in tables %}
    select
        setting.line,
        setting.is_for_marts_alone
    from {{ ref(seed) }}
        lateral view explode(array(
            struct(
                case
                    when coalesce(key_columns, replica_identity, column_names) is not null
                        then to_json(struct(
                            'cdc_tables' as setting, vendor, source, schema_name, table_name, key_columns,
                            replica_identity, column_names
                        ))
                end as line,
                false as is_for_marts_alone
            ),
            struct(
                case
                    when history_ignored_columns is not null
                        then to_json(struct(
                            'history_ignored_columns' as setting, vendor, source, schema_name, table_name,
                            history_ignored_columns
                        ))
                end as line,
                true as is_for_marts_alone
            )
        )) settings_of_a_line as setting
    where setting.line is not null
    union all
    {%- endfor %}
    select
        to_json(struct(
            'cdc_epochs' as setting, vendor, source, schema_name, table_name, epoch, starts_at, first_landing_batch,
            resets_table
        )) as line,
        false as is_for_marts_alone
    from {{ ref('cdc_epochs') }}
    {%- for source in var('cdc_sources_without_transactions', []) %}
    union all
    select
        to_json(struct('cdc_sources_without_transactions' as setting, '{{ source | replace("'", "\\'") }}' as source)) as line,
        false as is_for_marts_alone
    {%- endfor %}
    {%- if cdc_shows_whole_transactions() %}
    union all
    select to_json(struct('cdc_visibility' as setting, 'transaction' as value)) as line, true as is_for_marts_alone
    {%- for source in var('cdc_visibility_lifted_for', []) %}
    union all
    select
        to_json(struct('cdc_visibility_lifted_for' as setting, '{{ cdc_escaped(source) }}' as source)) as line,
        true as is_for_marts_alone
    {%- endfor %}
    {%- endif %}
    {%- for spec in cdc_vendors() %}
    {%- for setting in spec.settings if var(setting, none) is not none %}
    union all
    select
        to_json(struct(
            '{{ setting }}' as setting, '{{ spec.name }}' as vendor,
            '{{ var(setting) | tojson | replace("\\", "\\\\") | replace("'", "\\'") }}' as value
        )) as line,
        false as is_for_marts_alone
    {%- endfor %}
    {%- endfor %}
{%- endmacro %}

{#- Post-hook of cdc_run_batches: stops the run where the configuration changed in a way that elements read before would now
    become something else. A key for a table that only waited, an epoch that begins later, go on. Rows read under different
    configurations are never mixed: the message names what changed and the command. A run under another configuration than
    the last finished one is noted, so that what it leaves when it is killed is known too. -#}
{% macro cdc_refuse_changed_configuration() -%}
    {%- if not execute or cdc_is_rebuild() or not cdc_run_facts().is_configured_anew -%} {{ return('') }} {%- endif -%}
    {%- set work_schema = var('cdc_work_schema', 'cdc_work') -%}
    {%- set loads = cdc_earlier(work_schema, 'cdc_loads', [
        {'name': 'load_number', 'type': 'bigint'}, {'name': 'vendor', 'type': 'string'},
        {'name': 'configuration', 'type': 'string'},
    ]) -%}
    {%- set found = run_query(
        'with finished as (select max(load_number) as load_number, max_by(configuration, load_number) as configuration '
        ~ 'from ' ~ loads ~ ' where vendor is null) '
        ~ 'select max(this_run.load_number), max(this_run.configuration), max(finished.load_number), '
        ~ 'max(finished.configuration), to_json(collect_set(struct(begun.load_number as load_number, '
        ~ 'begun.history_configuration as configuration))) from ' ~ this ~ ' as this_run cross join finished left join '
        ~ work_schema ~ ".cdc_watermarks as begun on begun.model_name = 'cdc_configuration_begun' "
        ~ 'and begun.load_number > coalesce(finished.load_number, 0)').rows[0] -%}
    {%- set now = fromjson(found[1]) -%}
    {%- set begun_runs = fromjson(found[4]) | selectattr('configuration', 'defined') | list -%}
    {%- set changelog = adapter.get_relation(
        database=none, schema=var('cdc_schema', 'cdc'), identifier='cdc_changelog') -%}
    {%- set contradicted = [] -%}
    {%- if changelog is not none and found[3] is not none and found[3] != found[1] -%}
        {#- Runs that died under the finished configuration left no note: all that no note tells of was read under it. -#}
        {%- set others = 'not in (' ~ ([0] + begun_runs | map(attribute='load_number') | list) | join(', ') ~ ')' -%}
        {%- do contradicted.extend(_cdc_contradicted(changelog, fromjson(found[3]), now, others, '<= ' ~ found[2])) -%}
    {%- endif -%}
    {%- for begun in begun_runs if changelog is not none and begun.configuration != found[1] -%}
        {%- do contradicted.extend(
            _cdc_contradicted(changelog, fromjson(begun.configuration), now, '= ' ~ begun.load_number, none)) -%}
    {%- endfor -%}
    {%- if contradicted -%}
        {{ exceptions.raise_compiler_error(
            'The configuration changed for messages that were read already: ' ~ contradicted | unique | join('; ')
            ~ '. Rows read before and after it would contradict each other. Run `make rebuild` '
            ~ "(dbt build --vars '{cdc_rebuild: true}'), which reads all raw messages again, or take the change back.") }}
    {%- endif -%}
    {%- if found[3] != found[1] -%}
        {%- do run_query(
            'insert into ' ~ work_schema ~ ".cdc_watermarks select 'cdc_configuration_begun', load_number, configuration, "
            ~ 'cast(null as bigint) from ' ~ this ~ ' where vendor is null') -%}
    {%- endif -%}
    {{ return('') }}
{%- endmacro %}

{#- The lines that differ between two configurations and decided changes which the changelog has from some loads; a list.
    before, now: lists of lines; loads: end of a SQL comparison with the number of the load that wrote a change; finished_loads:
    the same for rejected messages, which count once their load is finished; none to leave them out. -#}
{% macro _cdc_contradicted(changelog, before, now, loads, finished_loads) -%}
    {%- set contradicted = [] -%}
    {%- for line in now | reject('in', before) | list + before | reject('in', now) | list -%}
        {%- set setting = fromjson(line) -%}
        {%- if setting.setting not in ['history_ignored_columns', 'cdc_visibility', 'cdc_visibility_lifted_for'] -%}
            {%- set condition = cdc_rows_that_a_setting_decides(setting, line in now) -%}
            {%- set known = run_query(
                'select 1 from ' ~ changelog ~ ' where ' ~ condition ~ ' and (first_load_number ' ~ loads
                ~ ' or load_number ' ~ loads ~ ') limit 1').rows | length -%}
            {#- A reject that the setting may cure; which those are is known of a key alone. -#}
            {%- if not known and finished_loads and 'vendor' in setting and setting.setting != 'cdc_epochs' -%}
                {%- set known = run_query(
                    'select 1 from ' ~ var('cdc_work_schema', 'cdc_work') ~ '.cdc_rejected_log where '
                    ~ cdc_rows_of_a_setting(setting)
                    ~ (" and reason = 'NULL_KEY'" if setting.setting == 'cdc_tables' else '')
                    ~ ' and load_number ' ~ finished_loads ~ ' limit 1').rows | length -%}
            {%- endif -%}
            {%- if known -%} {%- do contradicted.append(line) -%} {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(contradicted) }}
{%- endmacro %}

{#- SQL condition: rows of the tables that a line of cdc_tables or cdc_epochs names. -#}
{% macro cdc_rows_of_a_setting(setting) -%}
    {%- set conditions = ["vendor = '" ~ cdc_escaped(setting.vendor) ~ "'"] -%}
    {%- for column in ['source', 'schema_name', 'table_name'] -%}
        {%- set value = setting.get(column) -%}
        {%- if value is not none and value | trim not in ['*', ''] -%}
            {%- do conditions.append(column ~ " = '" ~ cdc_escaped(value | trim) ~ "'") -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(conditions | join(' and ')) }}
{%- endmacro %}

{#- SQL condition on cdc_changelog: changes that a setting has a say in. is_new: whether it is in force now. -#}
{% macro cdc_rows_that_a_setting_decides(setting, is_new) -%}
    {%- if setting.setting == 'cdc_tables' -%}
        {{ return(cdc_rows_of_a_setting(setting) ~ ' and row_id is not null') }}
    {%- elif setting.setting == 'cdc_epochs' -%}
        {%- set conditions = [] -%}
        {%- if setting.get('starts_at') -%}
            {%- do conditions.append(
                "coalesce(committed_at, snapshot_at) >= timestamp '" ~ cdc_escaped(setting.starts_at) ~ "'") -%}
        {%- endif -%}
        {%- if setting.get('first_landing_batch') is not none -%}
            {%- do conditions.append(
                'coalesce(committed_at, snapshot_at) is null and landing_batch >= ' ~ setting.first_landing_batch) -%}
        {%- endif -%}
        {{ return(cdc_rows_of_a_setting(setting) ~ ' and (' ~ (conditions or ['true']) | join(' or ') ~ ')') }}
    {%- elif setting.setting == 'cdc_sources_without_transactions' -%}
        {#- A source that is named now releases what waited; one that is named no more may have changes without a time. -#}
        {{ return('false' if is_new else "source = '" ~ cdc_escaped(setting.source) ~ "' and committed_at is null") }}
    {%- else -%}
        {{ return("vendor = '" ~ cdc_escaped(setting.vendor) ~ "'") }}
    {%- endif -%}
{%- endmacro %}

{#- Text for a SQL literal in single quotes. -#}
{% macro cdc_escaped(text) -%}
    {{ return(text | string | replace('\\', '\\\\') | replace("'", "\\'")) }}
{%- endmacro %}
