{#- The raw messages of one vendor: what the var cdc_raw_tables names, else its source; with the fixtures on, the scenario's too. -#}
{% macro cdc_raw_relation(vendor) -%}
    {%- set named = var('cdc_raw_tables', {}).get(vendor) -%}
    {%- for name in var('cdc_raw_tables', {}) if name not in cdc_vendors() | map(attribute='name') -%}
        {{ exceptions.raise_compiler_error('var cdc_raw_tables names ' ~ name ~ ', which is no vendor of this project.') }}
    {%- endfor -%}
    {%- if named -%}
        {%- set parts = named.split('.') -%}
        {%- if parts | length not in [2, 3] -%}
            {{ exceptions.raise_compiler_error(
                "var cdc_raw_tables names '" ~ named ~ "' for " ~ vendor
                ~ "; expected '<schema>.<relation>' or '<catalog>.<schema>.<relation>'.") }}
        {%- endif -%}
        {#- dbt-spark knows relations of the server's own catalog alone: one of another catalog has to be there. -#}
        {%- set landed = named if parts | length == 3 else cdc_relation_or_no_rows(parts[0], parts[1], cdc_raw_columns()) -%}
    {%- else -%}
        {%- set landed = source('cdc_raw', vendor) -%}
    {%- endif -%}
    {#- A unit test brings its own messages. -#}
    {%- if not var('cdc_fixtures', false) | as_bool or cdc_is_unit_test() -%}
        {{ return(landed) }}
    {%- endif -%}
    (
        select value, `key`, headers, topic, `partition`, `offset`, `timestamp`, source, landing_batch
        from {{ landed }}
        union all
        select
            value, `key`, from_json(headers_json, 'map<string,string>') as headers, topic, `partition`, `offset`,
            `timestamp`, source, landing_batch - 1000000 as landing_batch
        from {{ ref('raw_' ~ vendor ~ '__fixtures') }}
        {%- if var('cdc_fixture_batches', none) %}
        where landing_batch in ({{ var('cdc_fixture_batches') | join(', ') }})
        {%- endif %}
    )
{%- endmacro %}
