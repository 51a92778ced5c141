{#- True where the current model's table is made from scratch: it does not exist yet, the run is a rebuild, or it is a full
    refresh and the model allows one (the changelog and what it stands on do not: `full_refresh: false`). -#}
{% macro cdc_is_first_build() -%}
    {{ return(not execute or load_relation(this) is none or cdc_is_rebuild() or should_full_refresh()) }}
{%- endmacro %}

{#- True where this run reads all raw messages again and makes everything anew (`make rebuild`, var cdc_rebuild). -#}
{% macro cdc_is_rebuild() -%}
    {{ return(var('cdc_rebuild', false) | as_bool) }}
{%- endmacro %}

{#- True where this run has nothing to do: no landing batch to read, the configuration unchanged, and the marts up to date.
    Decided once, when cdc_run_batches is built. -#}
{% macro cdc_is_idle() -%}
    {{ return(cdc_run_facts().is_idle and cdc_row_states_are_there()) }}
{%- endmacro %}

{#- True where this run makes the states of all rows and not only of touched ones: there are none yet, a full refresh, a
    rebuild, or what decides about the marts alone has changed (columns that open no version, visibility). -#}
{% macro cdc_makes_all_rows() -%}
    {{ return(
        not execute or flags.FULL_REFRESH or cdc_is_rebuild()
        or not cdc_row_states_are_there()
        or cdc_run_facts().makes_all_rows
    ) }}
{%- endmacro %}

{#- Whether the states of rows have been made; somebody may have dropped them. -#}
{% macro cdc_row_states_are_there() -%}
    {{ return(adapter.get_relation(
        database=none, schema=var('cdc_work_schema', 'cdc_work'), identifier='cdc_row_states') is not none) }}
{%- endmacro %}
