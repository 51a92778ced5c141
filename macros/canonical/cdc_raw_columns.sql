{#- The columns of every cdc_raw.<vendor>: those of Spark's Kafka source, decoded, then source and landing_batch. -#}
{% macro cdc_raw_columns() -%}
    {{ return([
        {'name': 'value', 'type': 'string'},
        {'name': 'key', 'type': 'string'},
        {'name': 'headers', 'type': 'map<string,string>'},
        {'name': 'topic', 'type': 'string'},
        {'name': 'partition', 'type': 'int'},
        {'name': 'offset', 'type': 'bigint'},
        {'name': 'timestamp', 'type': 'timestamp'},
        {'name': 'source', 'type': 'string'},
        {'name': 'landing_batch', 'type': 'bigint'},
    ]) }}
{%- endmacro %}
