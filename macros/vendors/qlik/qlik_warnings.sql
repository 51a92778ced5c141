{#- The field `warnings`; null where there is nothing to warn of, which is told apart first because it is nearly always so. -#}
{% macro qlik_warnings() -%}
    {%- set keys = 'coalesce(key_configured, table_schema.key_columns)' -%}
    {%- set found = [
        ('NEWER_PRODUCER', "magic <> 'atMSG' or message_type not in ('DT', 'MD')"),
        ('BAD_TIME', "happened_at is null and time_sent <> ''"),
        ('NUMBER_KEPT_AS_TEXT', 'has_number_kept_as_text'),
        ('NULL_MAY_BE_UNKNOWN', "column_mask_sent is null and operation <> 'snapshot' and holds_null"),
        ('COLUMN_LISTED_BUT_ABSENT', 'is_mask_complete and image_key_count < columns_promised'),
        ('KEY_CHANGE_WITHOUT_OLD_KEY',
         "operation = 'update' and before_data is null and arrays_overlap(changed_columns, " ~ keys ~ ")"),
    ] -%}
    case
        when
            {%- for code, condition in found %}
            {{ 'or ' if not loop.first }}coalesce({{ condition }}, false)
            {%- endfor %}
            then array_compact(
                array(
                    {%- for code, condition in found %}
                    case when {{ condition }} then '{{ code }}' end{{ ',' if not loop.last }}
                    {%- endfor %}
                )
            )
    end
{%- endmacro %}
