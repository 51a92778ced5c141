{#- The columns of a row as text, in a map: what a client that knows no types sees. A null is in
    the map with a null value, a column that is not in the row is not in the map. Text comes
    unquoted, numbers as they were written, nested values as JSON text.
    row: SQL expression of a row's JSON text. -#}
{% macro cdc_row_fields(row) -%}
    transform_values(
        from_json({{ cdc_guard_numbers(row) }}, 'map<string,string>'),
        (field_name, field_value) -> case
            when not contains(field_value, 'cdc-number:') then field_value
            when startswith(field_value, concat(chr(1), 'cdc-number:'))
                then substring(field_value, 13)
            else {{ cdc_restore_numbers('field_value') }}
        end
    )
{%- endmacro %}
