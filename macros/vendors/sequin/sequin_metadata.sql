{#- Everything a message says that has no column of its own, as JSON object text: the rest of `metadata`, then the
    other fields of the message (ack_id …). Objects, arrays and nulls are put together from their texts; where there is
    a scalar, an escape or a string that looks like JSON among them, the message is taken apart with its types. Reads
    the columns of stg_sequin__changes. -#}
{% macro sequin_metadata() -%}
    {%- set with_columns = "('table_schema', 'table_name', 'commit_timestamp', 'commit_lsn', 'commit_idx', "
        ~ "'database_name', 'idempotency_key', 'record_pks')" -%}
    case
        when
            not has_text_like_an_object
            and not contains(metadata_text, '\\')
            and not contains(metadata_text, '"[')
            and forall(
                map_entries(fields),
                field -> field.key in ('record', 'changes', 'action', 'metadata')
                    -- Plainly a text: neither a number, true, false nor null.
                    or (field.key = 'ack_id' and field.value rlike '^(?=.*[A-Za-z])[A-Za-z0-9+/=_.:-]{6,}$')
            )
            and forall(
                map_entries(metadata_fields),
                field -> field.key in {{ with_columns }}
                    or field.value is null
                    or startswith(field.value, '{')
                    or startswith(field.value, '[')
            )
            then concat(
                '{',
                concat_ws(
                    ',',
                    transform(
                        filter(map_entries(metadata_fields), field -> field.key not in {{ with_columns }}),
                        field -> concat('"', field.key, '":', coalesce(field.value, 'null'))
                    ),
                    case when fields['ack_id'] is not null then concat('"ack_id":"', fields['ack_id'], '"') end
                ),
                '}'
            )
        else coalesce(to_json(map_concat(
            map_filter(
                from_json(metadata_text, 'map<string,variant>'),
                (field_name, field_value) -> field_name not in {{ with_columns }}
            ),
            map_filter(
                from_json(element, 'map<string,variant>'),
                (field_name, field_value) -> field_name not in ('record', 'changes', 'action', 'metadata')
                    and not map_contains_key(metadata_fields, field_name)
            )
        )), metadata_text)
    end
{%- endmacro %}
