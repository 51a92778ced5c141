{#- The metadata of a change: every field of the message that has no column of its own, as one flat JSON object. First the
    event's own fields, then those of its position, of its batch and of its `metadata`. Reads the columns of
    stg_savegress__changes. Where a name would stand twice, the message's `metadata` stays an object of its own. -#}
{% macro savegress_metadata() -%}
    {%- set reserved = [
        'operation', 'type', 'source', 'gtid', 'resume_token', 'ddl_type', 'ddl_command', 'position',
        'batch_id', 'batch_size', 'batch_timestamp',
    ] -%}
    concat(
        '{',
        array_join(
            filter(
                array(
                    {{ _savegress_inside(
                        "to_json(named_struct("
                        ~ "'operation', case when operation_sent = 'upsert' then coalesce(event.operation, event.`type`) end, "
                        ~ "'type', case when event.operation is not null then event.`type` end, "
                        ~ "'source', case when startswith(event.source, '{') then source_object.`type` else event.source end, "
                        ~ "'gtid', position_fields.gtid, 'resume_token', position_fields.resume_token, "
                        ~ "'ddl_type', event.ddl_type, 'ddl_command', event.ddl_command))"
                    ) }},
                    case
                        when size(array_except(source_keys, array({{ _savegress_texts(
                            ['type', 'database', 'schema', 'table', 'position']
                        ) }}))) > 0
                            then concat('"source_fields":', event.source)
                    end,
                    case
                        when size(array_except(position_keys, array({{ _savegress_texts(
                            ['lsn', 'sequence', 'file', 'position', 'gtid', 'resume_token', 'cluster_time']
                        ) }}))) > 0
                            then concat('"position":', position_sent)
                    end,
                    {{ _savegress_inside('batch_fields') }},
                    case
                        when size(unknown_keys) > 0
                            then {{ _savegress_inside(
                                "coalesce(to_json(map_filter(from_json(event_text, 'map<string,variant>'), "
                                ~ "(name, field) -> array_contains(unknown_keys, name))), "
                                ~ "to_json(map_filter(from_json(event_text, 'map<string,string>'), "
                                ~ "(name, field) -> array_contains(unknown_keys, name))))"
                            ) }}
                    end,
                    case
                        when arrays_overlap(
                            metadata_keys, array_union(array({{ _savegress_texts(reserved) }}), unknown_keys)
                        )
                            then concat('"metadata":', event.metadata)
                        when arrays_overlap(metadata_keys, array('database', 'tx_id'))
                            then {{ _savegress_inside(
                                "to_json(map_filter(from_json(event.metadata, 'map<string,variant>'), "
                                ~ "(name, field) -> name <> 'database' "
                                ~ "and (name <> 'tx_id' or event.transaction_id is not null)))"
                            ) }}
                        else {{ _savegress_inside('event.metadata') }}
                    end
                ),
                part -> part <> ''
            ),
            ','
        ),
        '}'
    )
{%- endmacro %}

{#- The text between the braces of an object's text. -#}
{% macro _savegress_inside(object_text) -%}
    regexp_extract({{ object_text }}, '(?s)^\\{(.*)\\}$', 1)
{%- endmacro %}

{% macro _savegress_texts(names) -%}
    '{{ names | join("', '") }}'
{%- endmacro %}
