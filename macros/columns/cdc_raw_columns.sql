{#- The columns of every cdc_raw.<vendor>: those of Spark's Kafka source, decoded, then source and landing_batch. -#}
{% macro cdc_raw_columns() -%}
    {%- set columns -%}
        value string
        key string
        headers map<string,string>
        topic string
        partition int
        offset bigint
        timestamp timestamp
        source string
        landing_batch bigint
    {%- endset -%}
    {{ return(cdc_parse_columns(columns)) }}
{%- endmacro %}
