{#- Names of the fields of a message whose JSON type is not theirs, joined by commas; empty text where all are right.
    A name that could be a number or true comes as the same text from both JSON types: only then the types are looked
    at. Reads the columns of stg_sequin__changes. -#}
{% macro sequin_wrong_types() -%}
    concat_ws(
        ', ',
        case when record is not null and not {{ sequin_is_object('record', 'record') }} then 'record' end,
        case
            when old_values is not null and not {{ sequin_is_object('changes', 'old_values') }} then 'changes'
        end,
        case
            when metadata_text is not null and not {{ sequin_is_object('metadata', 'metadata_text') }}
                then 'metadata'
        end,
        {%- for field in ['table_schema', 'table_name'] %}
        case
            when
                metadata_fields['{{ field }}'] rlike '^(?:[0-9.+-]|true$|false$|[\\[{])'
                and schema_of_variant(from_json(metadata_text, 'map<string,variant>')['{{ field }}']) <> 'STRING'
                then 'metadata.{{ field }}'
        end,
        {%- endfor %}
        case when key_values_text is not null and not startswith(key_values_text, '[') then 'metadata.record_pks' end
    )
{%- endmacro %}
