{#- A table schema as metadata gives it: with length, precision and scale taken out of PostgreSQL's type modifier. -#}
{% macro supabase_etl_sent_columns(columns, with_modifier=true) -%}
    transform(
        {{ columns }},
        column -> named_struct(
            'name', column.name,
            'type', column.type,
            'ordinal', column.ordinal,
            'key_position', column.key_position,
            'length', case
                when lower(column.type) in ('varchar', 'bpchar', 'character varying', 'character') and column.modifier > 4
                    then cast(column.modifier - 4 as bigint)
            end,
            'precision', case
                when lower(column.type) = 'numeric' and column.modifier > 4
                    then shiftright(column.modifier - 4, 16) & 65535
            end,
            'scale', case
                when lower(column.type) = 'numeric' and column.modifier > 4 then (column.modifier - 4) & 65535
            end,
            'nullable', column.nullable
            {%- if with_modifier %},
            'modifier', column.modifier
            {%- endif %}
        )
    )
{%- endmacro %}
