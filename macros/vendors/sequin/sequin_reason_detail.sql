{#- What was found where an element is no change, in words. Reads the columns of stg_sequin__changes' CTE `judged`. -#}
{% macro sequin_reason_detail() -%}
    case reason
        when 'NOT_JSON' then 'The text is not one JSON value.'
        when 'DUPLICATE_KEYS' then 'An object of the message holds a key twice.'
        when 'NOT_A_CHANGE'
            then concat(
                'Without record, action and metadata: made by a transform, or of the shape of 2024. Found: ',
                coalesce(array_join(map_keys(fields), ', '), left(element, 100))
            )
        when 'WRONG_TYPE' then concat('Not of the type it should have: ', {{ sequin_wrong_types() }})
        when 'UNKNOWN_OPERATION' then concat('action is ', coalesce(action, 'missing'))
        when 'MISSING_TABLE'
            then concat(
                'table_schema is ', coalesce(schema_name, 'missing'),
                ', table_name is ', coalesce(table_name, 'missing')
            )
        when 'MISSING_IMAGE' then concat('record is ', coalesce(record, 'null or missing'))
        when 'MISSING_KEY_IMAGE' then 'Neither record nor record_pks tells which row was deleted.'
        when 'BAD_POSITION'
            then concat(
                'commit_lsn is ', coalesce(commit_lsn, 'missing'),
                ', commit_idx is ', coalesce(commit_index, 'missing')
            )
        when 'BAD_TIME' then concat('commit_timestamp is ', commit_timestamp)
    end
{%- endmacro %}
