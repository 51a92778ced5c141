{#- What was found, in words, beside each reason code. Reads the columns of stg_supabase_etl__changes. -#}
{% macro supabase_etl_reason_detail() -%}
    case reason
        when 'TOMBSTONE' then 'The value is null.'
        when 'EMPTY_ENVELOPE' then 'The list of events is empty.'
        when 'EMPTY_TRUNCATE' then 'The truncate names no table.'
        when 'NOT_JSON' then 'The body is not one whole JSON value.'
        when 'DUPLICATE_KEYS' then 'A key stands twice in the event, its schema or its row.'
        when 'NOT_A_CHANGE' then 'The element is no event: it names no variant.'
        when 'UNKNOWN_OPERATION'
            then concat(
                'No known event variant: ', coalesce(type_sent, regexp_extract(element_text, '"([A-Za-z_]+)"', 1))
            )
        when 'BAD_POSITION'
            then concat(
                'commit_lsn ', coalesce(commit_lsn_sent, 'is missing'),
                ', start_lsn ', coalesce(start_lsn_sent, 'is missing'),
                coalesce(concat(', tx_ordinal ', tx_ordinal_sent), '')
            )
        when 'BAD_TIME' then concat('Not a time: ', coalesce(timestamp_sent, copied_at_sent, 'timestamp is missing'))
        when 'MISSING_TABLE' then 'The event names no table.'
        when 'MISSING_IMAGE' then 'The event has no row.'
        when 'MISSING_KEY_IMAGE' then 'The delete has no old row, so no row can be told from it.'
        when 'BAD_MASK' then 'total_columns, values and missing_column_indexes do not fit each other.'
        when 'WRONG_TYPE' then 'A row, a schema or a list of tables is not of the form that the event has.'
        when 'NO_SCHEMA'
            then concat(
                'Table ', coalesce(table_id, '?'),
                case
                    when is_schema_known
                        then concat(' has ', width, ' columns at this place, which the row does not fit.')
                    else ' has no Relation at or before this place.'
                end
            )
        when 'NO_TRANSACTION'
            then concat('Neither Begin nor Commit of ', {{ supabase_etl_lsn_text('commit_lsn') }}, ' has landed.')
    end
{%- endmacro %}
