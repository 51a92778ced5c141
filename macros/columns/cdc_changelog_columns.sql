{#- The columns of cdc_changelog, which is public. -#}
{% macro cdc_changelog_columns() -%}
    {%- set of_the_change -%}
        change_id string
        vendor string
        source string
        database_name string
        schema_name string
        table_name string
        operation string
        row_key string
        row_key_before string
        key_columns array<string>
        before string
        after string
        before_image string
        after_image string
        changed_columns array<string>
        epoch int
    {%- endset -%}
    {%- set of_the_message -%}
        landing_batch bigint
        topic string
        partition int
        offset bigint
        event_index int
    {%- endset -%}
    {{ return(cdc_parse_columns(of_the_change) + cdc_passthrough_columns() + cdc_parse_columns(of_the_message)) }}
{%- endmacro %}
