{#- Writes an event of landing batches into the log. -#}
{% macro cdc_note_batches(batches, event) -%}
    {%- set table = cdc_work_schema() ~ '.int_batch_log' -%}
    {%- set vendors = cdc_vendors() | map(attribute='name') | list -%}
    {%- set values = [] -%}
    {%- for vendor, landing_batch in batches -%}
        {%- if vendor not in vendors or not modules.re.fullmatch('-?[0-9]{1,18}', landing_batch | string) -%}
            {{ exceptions.raise_compiler_error(
                'Batch ' ~ landing_batch ~ ' of ' ~ vendor ~ ' cannot be; expected VENDOR, one of ' ~ vendors | join(', ')
                ~ ', and BATCH, the number of a landing batch.') }}
        {%- endif -%}
        {%- do values.append('(' ~ cdc_literal(vendor) ~ ', cast(' ~ landing_batch ~ ' as bigint), ' ~ cdc_literal(event)
            ~ ', ' ~ batches | length ~ ', current_timestamp())') -%}
    {%- endfor -%}
    {%- do run_query(
        'create table if not exists ' ~ table ~ ' (vendor string, landing_batch bigint, event string, batches int, '
        ~ 'noted_at timestamp) using '
        ~ env_var('CDC_TABLE_FORMAT', 'delta')) -%}
    {%- do run_query('insert into ' ~ table ~ ' values ' ~ values | join(', ')) -%}
    {%- do adapter.cache_added(api.Relation.create(schema=cdc_work_schema(), identifier='int_batch_log', type='table')) -%}
{%- endmacro %}
