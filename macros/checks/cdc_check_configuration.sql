{#- Stops the run where the configuration changed in a way that events decoded before would now become something else. -#}
{% macro cdc_check_configuration(contradictions) -%}
    {%- set contradicted = run_query('select line from ' ~ contradictions ~ ' order by line').columns[0].values() if execute -%}
    {%- if contradicted -%}
        {{ exceptions.raise_compiler_error(
            'The configuration changed for messages that were read already: ' ~ contradicted | join('; ')
            ~ '. Rows read before and after it would contradict each other. Run `cdc rebuild`, which decodes all raw messages '
            ~ 'again, or take the change back: the seeds as they were, then `cdc run`, or `dbt seed` before `dbt run`.') }}
    {%- endif -%}
{%- endmacro %}
