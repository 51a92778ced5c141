{#- The staging columns out of one vendor's model: what it does not give is null; an unknown name or another type is an error. -#}
{% macro cdc_staging_columns_of(changes) -%}
    {%- set found = {} -%}
    {%- for column in adapter.get_columns_in_relation(changes) if execute -%}
        {%- do found.update({column.name: column.data_type | replace(' ', '')}) -%}
    {%- endfor -%}
    {%- set columns = cdc_staging_columns() -%}
    {%- for column in columns -%}
        {%- set type = found.pop(column.name, none) -%}
        {%- if type and type != column.type | replace(' ', '') -%}
            {{ exceptions.raise_compiler_error(
                changes ~ ' gives ' ~ column.name ~ ' as ' ~ type ~ '; expected ' ~ column.type ~ '.') }}
        {%- endif %}
    {{ '`' ~ column.name ~ '`' if type else 'cast(null as ' ~ column.type ~ ') as `' ~ column.name ~ '`' }}
        {{- ',' if not loop.last }}
    {%- endfor -%}
    {%- if found -%}
        {{ exceptions.raise_compiler_error(
            changes ~ ' gives the unknown columns ' ~ found | join(', ') ~ '; expected some of '
            ~ columns | map(attribute='name') | join(', ') ~ '.') }}
    {%- endif -%}
{%- endmacro %}
