{#- What was found in an event that is no change: the fields of a wrong type, or the fields that decide, as a JSON object.
    reason: SQL expression of the reason code, null for a change. wrong_types: SQL expression of what cdc_wrong_types gave.
    fields: SQL expressions of the fields, joined by commas. -#}
{% macro cdc_reason_detail(reason, wrong_types, fields) -%}
    case
        when {{ reason }} = 'WRONG_TYPE' then concat('Not of the type it should have: ', {{ wrong_types }})
        when {{ reason }} is not null then to_json(struct({{ fields }}))
    end
{%- endmacro %}
