{#- What an event is by its reason code: change, ignored, pending or rejected. -#}
{% macro cdc_status(reason) -%}
    case
        when {{ reason }} is null then 'change'
        when {{ reason }} in ('TOMBSTONE', 'EMPTY_ENVELOPE', 'EMPTY_TRUNCATE') then 'ignored'
        when {{ reason }} in ('NO_SCHEMA', 'MISSING_SEGMENT', 'NO_TRANSACTION') then 'pending'
        else 'rejected'
    end
{%- endmacro %}
