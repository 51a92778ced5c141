{#- Whether a model is compiled within a run, so that what the run's tables hold can be asked and statements can leave out what
    nothing is there for. Not while dbt parses or compiles alone, and not in unit tests, which give their own inputs. -#}
{% macro cdc_knows_its_run() -%}
    {{ return(execute and flags.WHICH in ['run', 'build'] and model.resource_type == 'model') }}
{%- endmacro %}

{#- The same where the current model's table will be written: a run with nothing to do asks nothing. -#}
{% macro cdc_run_has_work() -%}
    {{ return(cdc_knows_its_run() and (not cdc_is_idle() or cdc_is_first_build())) }}
{%- endmacro %}

{#- Whether a select has rows; true where nobody knows. select: SQL text. -#}
{% macro cdc_run_finds(select) -%}
    {{ return(not cdc_knows_its_run() or run_query('select 1 from (' ~ select ~ ') limit 1').rows | length > 0) }}
{%- endmacro %}

{#- A select of the current model's columns, as its YAML gives them, without rows. -#}
{% macro cdc_no_rows() -%}
    select
        {%- for name, column in model.columns.items() %}
        cast(null as {{ column.data_type }}) as `{{ name }}`{{ ',' if not loop.last }}
        {%- endfor %}
    where false
{%- endmacro %}
