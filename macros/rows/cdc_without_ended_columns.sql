{#- A live row whose later images inherit none of the columns that a DDL statement names, in quotes as they stand, else in
    any case; the text of the row stays. -#}
{% macro cdc_without_ended_columns(content, ended_columns) -%}
    if(
        {{ content }} is null,
        null,
        struct(
            {{ content }}.text as text,
            {{ content }}.is_partial as is_partial,
            map_filter(
                {{ content }}.columns,
                (name, value) -> not coalesce(
                    exists(
                        {{ ended_columns }},
                        identifier -> case
                            when left(identifier, 1) in ('"', '`', '[')
                                then substring(identifier, 2, length(identifier) - 2) = {{ cdc_json_name('name') }}
                            else lower(identifier) = lower({{ cdc_json_name('name') }})
                        end
                    ),
                    false
                )
            ) as columns
        )
    )
{%- endmacro %}
