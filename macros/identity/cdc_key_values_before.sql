{#- The key that an update found its row under. Key columns that the before image lacks did not change. -#}
{% macro cdc_key_values_before() -%}
    case
        when key_columns is null or coalesce(size(key_values_before_sent), 0) = size(key_columns)
            then key_values_before_sent
        when before is null or before = '{}' then cast(null as array<string>)
        when exists(key_columns, column_name -> contains(before, concat('"', column_name, '":')))
            then {{ cdc_row_key_values('before', 'after', 'key_columns', 'key_values_sent') }}
    end
{%- endmacro %}
