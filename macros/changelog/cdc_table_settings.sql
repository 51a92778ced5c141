{#- Joins the configuration of `cdc_tables` to a relation of one vendor's elements, without multiplying rows.
    vendor: SQL expression; table_name: SQL expression. Gives the alias `settings`; read it with cdc_table_setting. -#}
{% macro cdc_table_settings_join(vendor, table_name) -%}
    left join {{ ref('cdc_table_settings') }} as settings
        on settings.vendor = {{ vendor }} and settings.table_name = {{ table_name }}
{%- endmacro %}

{#- One setting of the row that fits best (an exact source and schema beat `*`) of those that tell it; null where none does.
    setting: key_columns, history_ignored_columns (arrays), replica_identity (text) or column_names (array). -#}
{% macro cdc_table_setting(setting, source, schema_name) -%}
    {%- set allowed = ['key_columns', 'history_ignored_columns', 'replica_identity', 'column_names'] -%}
    {%- if setting not in allowed -%}
        {{ exceptions.raise_compiler_error("cdc_table_setting: '" ~ setting ~ "' is no setting; expected one of " ~ allowed) }}
    {%- endif -%}
    try_element_at(
        filter(
            settings.candidates,
            candidate -> candidate.source in ('*', {{ source }})
                and (candidate.schema_name in ('*', '') or candidate.schema_name = {{ schema_name }})
                and candidate.{{ setting }} is not null
        ),
        1
    ).{{ setting }}
{%- endmacro %}
