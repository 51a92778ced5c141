{#- True where two row texts hold the same columns and values. Equal text is the usual case; text of equal length with the same
    column order differs in a value; only a different column order asks for a comparison of parsed forms. -#}
{% macro cdc_same_row(first, second) -%}
    case
        when {{ first }} <=> {{ second }} then true
        when not (length({{ first }}) <=> length({{ second }})) then false
        when json_object_keys({{ first }}) <=> json_object_keys({{ second }}) then false
        else coalesce(to_json(try_parse_json({{ first }})) = to_json(try_parse_json({{ second }})), false)
    end
{%- endmacro %}

{#- A row without its columns of `history_ignored_columns`; the row itself where none is configured. Needs the alias `settings` of
    cdc_table_settings_join. -#}
{% macro cdc_tracked_row(row, source, schema_name) -%}
    {%- set ignored = cdc_settings_of(source, schema_name) ~ '.history_ignored_columns' -%}
    case
        when {{ row }} is not null and settings.by_place is not null and coalesce(size({{ ignored }}), 0) > 0
            then to_json(map_filter(
                from_json({{ row }}, 'map<string,variant>'),
                (column_name, column_value) -> not array_contains({{ ignored }}, column_name)
            ))
        else {{ row }}
    end
{%- endmacro %}
