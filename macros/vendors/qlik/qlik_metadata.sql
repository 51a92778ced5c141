{#- JSON object text of the message's known fields that are no columns of the changelog. -#}
{% macro qlik_metadata_told() -%}
    case
        when is_schema_message
            then to_json(
                struct(
                    magic,
                    schema_message.lineage,
                    schema_message.table_version,
                    schema_message.columns
                )
            )
        else to_json(
            named_struct(
                'magic', magic,
                'streamPosition', nullif(stream_position, ''),
                'changeMask', change_mask_sent,
                'columnMask', column_mask_sent,
                'externalSchemaId', case when message_schema_id is not null then external_schema_id end,
                'timestamp', case when happened_at is null then nullif(time_sent, '') end
            )
        )
    end
{%- endmacro %}

{#- The field `metadata`: the known fields (metadata_told) and whatever else the message holds (further_fields). -#}
{% macro qlik_metadata() -%}
    case
        when further_fields is null then metadata_told
        when metadata_told = '{}' then further_fields
        else concat(substring(metadata_told, 1, length(metadata_told) - 1), ',', substring(further_fields, 2))
    end
{%- endmacro %}
