{#- What was found in an event that is no change: the fields of a wrong type, or the fields that decide, as a JSON object. -#}
{% macro cdc_reason_detail(reason, wrong_types, fields) -%}
    case
        when {{ reason }} = 'WRONG_TYPE' then concat('Not of the type it should have: ', {{ wrong_types }})
        when {{ reason }} is not null then to_json(struct({{ fields }}))
    end
{%- endmacro %}
