{#- The rows as they were at a time or at a position, a select for a `from`: one version of each row at most. -#}
{% macro cdc_rows_as_of(time=none, position=none, epoch=0, vendor=none, source=none, where='true', versions=none) -%}
    {%- if (time is none) == (position is none) -%}
        {{ exceptions.raise_compiler_error('cdc_rows_as_of: give either time or position.') }}
    {%- endif -%}
    {%- if position is not none and (vendor is none or source is none) -%}
        {{ exceptions.raise_compiler_error(
            'cdc_rows_as_of: a position says something within one source; name vendor and source too.') }}
    {%- endif -%}
    {%- if position is not none and versions is not none -%}
        {{ exceptions.raise_compiler_error(
            'cdc_rows_as_of: a typed history has no positions; give a time, or leave versions out.') }}
    {%- endif -%}
    (
        select versions.*
        from {{ versions or ref('cdc_changelog', 'cdc_row_versions') }} as versions
        where
            ({{ where }})
            {%- for column, name in {'vendor': vendor, 'source': source}.items() if name is not none %}
            and versions.{{ column }} = {{ cdc_changelog.cdc_literal(name) }}
            {%- endfor %}
            {%- if time is not none %}
            and {{ cdc_changelog.cdc_is_valid_at('versions', 'timestamp ' ~ cdc_changelog.cdc_literal(time)) }}
            {%- else %}
            {%- set here = 'struct(' ~ epoch ~ ' as epoch, ' ~ cdc_changelog.cdc_literal(position) ~ ' as position)' %}
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
