{#- Everything a message says beside what has a column of its own, as JSON object text: the attributes of the
    CloudEvent, then cols, pkkey and transaction as they stand in eventsource, then fields that nobody knows yet. Reads
    the columns of stg_sqlserver_ces__changes' CTE `judged`.
    attributes: names of the CloudEvent's attributes that have their place. -#}
{% macro sqlserver_ces_metadata(attributes) -%}
    {%- set members = [
        ['"cols":', "eventsource['cols']"],
        ['"pkkey":', "eventsource['pkkey']"],
        ['"transaction":', 'transaction_text'],
    ] -%}
    concat(
        '{',
        concat_ws(
            ',',
            nullif({{ _sqlserver_ces_members("""to_json(named_struct(
                'specversion', envelope['specversion'],
                'type', envelope['type'],
                'source', envelope['source'],
                'datacontenttype', envelope['datacontenttype'],
                'segmentindex', try_cast(envelope['segmentindex'] as int),
                'finalsegment', try_cast(envelope['finalsegment'] as boolean),
                'splitindex', try_cast(envelope['splitindex'] as int),
                'splittotalcnt', try_cast(envelope['splittotalcnt'] as int),
                'segments', coalesce(segment_ids, from_json(envelope['segments'], 'array<string>'))
            ))""") }}, ''),
            {{ _sqlserver_ces_members(sqlserver_ces_other_fields('element', 'map_keys(envelope)', attributes)) }},
            concat(
                '"eventsource":{',
                concat_ws(
                    ',',
                    {%- for member in members %}
                    concat('{{ member[0] }}', {{ member[1] }}),
                    {%- endfor %}
                    {{ _sqlserver_ces_members(sqlserver_ces_other_fields(
                        "get_json_object(data, '$.eventsource')", 'map_keys(eventsource)',
                        ['db', 'schema', 'tbl', 'cols', 'pkkey', 'transaction']
                    )) }}
                ),
                '}'
            ),
            concat(
                '"eventrow":{',
                nullif(concat_ws(
                    ',',
                    case when operation = 'insert' then concat('"old":', old_image) end,
                    case when operation = 'delete' then concat('"current":', current_image) end,
                    {{ _sqlserver_ces_members(sqlserver_ces_other_fields(
                        "get_json_object(data, '$.eventrow')", 'map_keys(eventrow)', ['old', 'current']
                    )) }}
                ), ''),
                '}'
            ),
            concat('"data":', {{ sqlserver_ces_other_fields(
                'data', 'map_keys(data_fields)', ['eventsource', 'eventrow']
            ) }})
        ),
        '}'
    )
{%- endmacro %}

{#- The members of a JSON object text, without its braces.
    object: SQL expression of the object's text. -#}
{% macro _sqlserver_ces_members(object) -%}
    regexp_replace({{ object }}, '^\\{|\\}$', '')
{%- endmacro %}
