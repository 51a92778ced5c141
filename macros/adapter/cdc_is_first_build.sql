{#- True where the current model's table is made from scratch: it does not exist yet, or the run is a full refresh and the
    model allows one (the changelog and what it stands on do not: `full_refresh: false`). -#}
{% macro cdc_is_first_build() -%}
    {{ return(not execute or load_relation(this) is none or should_full_refresh()) }}
{%- endmacro %}

{#- True where this run has nothing to do: no landing batch to read, the configuration unchanged, and the marts up to date.
    Decided once, when cdc_run_batches is built. -#}
{% macro cdc_is_idle() -%}
    {%- set found = run_query(
        'select max(is_idle) as is_idle from ' ~ var('cdc_work_schema', 'cdc_work') ~ '.cdc_run_batches') -%}
    {{ return(found.rows[0][0] | string | lower == 'true') }}
{%- endmacro %}

{#- True where this run makes the states of all rows and not only of touched ones: there are none yet, or a full refresh. -#}
{% macro cdc_makes_all_rows() -%}
    {{ return(
        not execute or flags.FULL_REFRESH
        or adapter.get_relation(
            database=none, schema=var('cdc_work_schema', 'cdc_work'), identifier='cdc_row_states') is none
    ) }}
{%- endmacro %}
