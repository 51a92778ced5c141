{#- The metadata of a change: every field of the message that has no column of its own, as one flat
    JSON object. First the event's own fields, then those of its position, of its batch and of its
    `metadata`. Where a name would stand twice, the event's `metadata` stays an object of its own.
    Reads the columns of stg_savegress__changes. -#}
{% macro savegress_metadata() -%}
    {%- set reserved = [
        'operation', 'type', 'source', 'source_fields', 'gtid', 'resume_token', 'ddl_type',
        'ddl_command', 'position', 'batch_id', 'batch_size', 'batch_timestamp',
    ] -%}
    {%- set source_fields = ['type', 'database', 'schema', 'table', 'position'] -%}
    {%- set position_fields = [
        'lsn', 'sequence', 'file', 'position', 'gtid', 'resume_token', 'cluster_time',
    ] -%}
    {%- set event_fields -%}
        to_json(
            named_struct(
                'operation',
                case
                    when operation_sent = 'upsert' then coalesce(event.operation, event.`type`)
                end,
                'type', case when event.operation is not null then event.`type` end,
                'source',
                case when source_keys is null then event.source else source_object.`type` end,
                'gtid', position_fields.gtid,
                'resume_token', position_fields.resume_token,
                'ddl_type', event.ddl_type,
                'ddl_command', event.ddl_command
            )
        )
    {%- endset -%}
    {#- Values keep their types; where a user's value repeats a key they are all text. -#}
    {%- set unknown_fields -%}
        coalesce(
            to_json(
                map_filter(
                    from_json(event_text, 'map<string,variant>'),
                    (name, field) -> array_contains(unknown_keys, name)
                )
            ),
            to_json(
                map_filter(
                    from_json(event_text, 'map<string,string>'),
                    (name, field) -> array_contains(unknown_keys, name)
                )
            )
        )
    {%- endset -%}
    {%- set own_metadata_without_columns -%}
        to_json(
            map_filter(
                from_json(event.metadata, 'map<string,variant>'),
                (name, field) ->
                    name <> 'database' and (name <> 'tx_id' or event.transaction_id is not null)
            )
        )
    {%- endset -%}
    concat(
        '{',
        -- Leaves out what is null.
        array_join(
            array(
                {{ _savegress_inside(event_fields) }},
                case
                    when size(array_except(source_keys, {{ _savegress_array(source_fields) }})) > 0
                        then concat('"source_fields":', event.source)
                end,
                case
                    when
                        size(array_except(position_keys, {{ _savegress_array(position_fields) }}))
                        > 0
                        then concat('"position":', position_sent)
                end,
                {{ _savegress_inside('batch_fields') }},
                case
                    when size(unknown_keys) > 0 then {{ _savegress_inside(unknown_fields) }}
                end,
                case
                    when
                        arrays_overlap(
                            metadata_keys,
                            array_union({{ _savegress_array(reserved) }}, unknown_keys)
                        )
                        then concat('"metadata":', event.metadata)
                    when arrays_overlap(metadata_keys, array('database', 'tx_id'))
                        then {{ _savegress_inside(own_metadata_without_columns) }}
                    else {{ _savegress_inside('event.metadata') }}
                end
            ),
            ','
        ),
        '}'
    )
{%- endmacro %}

{#- The text between the braces of an object's text; null where there is nothing between them. -#}
{% macro _savegress_inside(object_text) -%}
    nullif(regexp_extract({{ object_text }}, '(?s)^\\{(.*)\\}$', 1), '')
{%- endmacro %}

{% macro _savegress_array(names) -%}
    array('{{ names | join("', '") }}')
{%- endmacro %}
