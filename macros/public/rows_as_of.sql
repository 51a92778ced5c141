{#- The rows of all tables, or of some, as they were at a time or at a position, a select for a `from`: one version of each row
    at most. The columns are those of cdc_row_versions.

        select * from {{ rows_as_of(time="2026-03-01 12:00:00", where="table_name = 'orders'") }} as orders

    By time it is the last version that was valid then: of several changes in one commit the last one, and a row whose time
    nobody sent is in no answer. By position it is exact within one source, so vendor and source have to be named; the change at
    that very position is in. Give one of the two.
    time: timestamp as text, UTC; position: as in cdc_changelog; epoch: of the position; where: SQL condition on
    cdc_row_versions. -#}
{% macro rows_as_of(time=none, position=none, epoch=0, vendor=none, source=none, where='true') -%}
    {%- if (time is none) == (position is none) -%}
        {{ exceptions.raise_compiler_error('rows_as_of: give either time or position.') }}
    {%- endif -%}
    {%- if position is not none and (vendor is none or source is none) -%}
        {{ exceptions.raise_compiler_error(
            'rows_as_of: a position says something within one source; name vendor and source too.') }}
    {%- endif -%}
    (
        select versions.*
        from {{ ref('cdc_row_versions') }} as versions
        where
            ({{ where }})
            {%- for column, name in {'vendor': vendor, 'source': source}.items() if name is not none %}
            and versions.{{ column }} = '{{ cdc_escaped(name) }}'
            {%- endfor %}
            {%- if time is not none %}
            and versions.valid_from <= timestamp '{{ cdc_escaped(time) }}'
            and (
                versions.valid_to > timestamp '{{ cdc_escaped(time) }}'
                or (versions.valid_to is null and versions.is_current)
            )
            {%- else %}
            {%- set here = "struct(" ~ epoch ~ " as epoch, '" ~ cdc_escaped(position) ~ "' as position)" %}
            and struct(versions.valid_from_epoch as epoch, coalesce(versions.valid_from_position, '') as position)
            <= {{ here }}
            and (
                versions.is_current
                or struct(versions.valid_to_epoch as epoch, coalesce(versions.valid_to_position, '') as position)
                > {{ here }}
            )
            {%- endif %}
    )
{%- endmacro %}
