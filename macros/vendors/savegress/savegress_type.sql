{#- The Spark type that a part of an event is read into. Objects and values are read as text: images leave as they came.
    part: event, source (where it is an object), position (of any engine), or metadata. -#}
{% macro savegress_type(part) -%}
    {{ return({
        'event': 'id string, operation string, `type` string, source string, `schema` string, `table` string, '
            ~ '`timestamp` string, transaction_id string, position string, before string, after string, metadata string, '
            ~ 'ddl_type string, ddl_command string',
        'source': '`type` string, database string, `schema` string, `table` string, position string',
        'position': 'lsn string, sequence string, `file` string, position string, gtid string, resume_token string, '
            ~ 'cluster_time struct<t string, i string>',
        'metadata': 'connector_version string, server string, database string, tx_id string, commit_ts string',
    }[part]) }}
{%- endmacro %}
