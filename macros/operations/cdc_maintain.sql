{#- `cdc maintain`: compacts every table that grows, empties replaced events and drops old snapshots, under the lock. -#}
{% macro cdc_maintain() -%}
    {%- do cdc_set_session() -%}
    {%- do cdc_confirm_lock(cdc_take_lock()) -%}
    {%- do _cdc_empty_replaced_events() if cdc_working_table_exists('int_events') -%}
    {%- for node in graph.nodes.values() | sort(attribute='unique_id')
        if node.resource_type == 'model' and node.config.materialized == 'incremental' and node.package_name == 'cdc_changelog' -%}
        {%- set table = node.schema ~ '.' ~ node.alias -%}
        {%- if not adapter.get_relation(database=none, schema=node.schema, identifier=node.alias) -%}
        {#- What is appended to a small table alone leaves neither many files nor old snapshots. -#}
        {%- elif node.config.incremental_strategy == 'append' and node.name != 'int_events' and _cdc_file_count(table) < 16 -%}
            {{ log('Leaves ' ~ table ~ ' as it is: it has few files.', info=true) }}
        {%- else -%}
            {{ log('Compacts ' ~ table ~ ' and drops its old snapshots.', info=true) }}
            {%- if env_var('CDC_TABLE_FORMAT', 'delta') == 'delta' -%}
                {%- do run_query('optimize ' ~ table) -%}
                {%- do cdc_vacuum(table) -%}
            {%- else -%}
                {%- do run_query("call system.rewrite_data_files(table => '" ~ table ~ "')") -%}
                {%- do run_query("call system.expire_snapshots(table => '" ~ table ~ "')") -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do cdc_write_lock('ended') -%}
{%- endmacro %}

{#- How many files a table consists of now. -#}
{% macro _cdc_file_count(table) -%}
    {%- if env_var('CDC_TABLE_FORMAT', 'delta') == 'delta' -%}
        {{ return(run_query('describe detail ' ~ table).rows[0]['numFiles'] | int) }}
    {%- endif -%}
    {{ return(run_query('select count(*) as files from ' ~ table ~ '.files').rows[0]['files'] | int) }}
{%- endmacro %}

{#- Takes from replaced events what only an event that counts is asked for; `cdc_health` counts them, so the rest stays. -#}
{% macro _cdc_empty_replaced_events() -%}
    {%- set content = [
        'event', 'message_key', 'headers', 'before', 'after', 'row_key', 'row_key_before', 'metadata', 'reason_detail',
    ] -%}
    {%- set store = cdc_work_schema() ~ '.int_events' -%}
    {%- do run_query(
        'merge into ' ~ store ~ ' as events using (select distinct explode(replaces) as event from ' ~ store
        ~ ' where replaced_because is not null) as replaced'
        ~ ' on events.load_number = replaced.event.load_number and events.event_number = replaced.event.event_number'
        ~ ' when matched and (events.' ~ content | join(' is not null or events.') ~ ' is not null)'
        ~ ' then update set events.' ~ content | join(' = null, events.') ~ ' = null'
    ) -%}
{%- endmacro %}
