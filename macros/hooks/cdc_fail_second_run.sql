{#- Stops a run that is not the one that holds the lock. -#}
{% macro cdc_fail_second_run(holder, now) -%}
    {{ exceptions.raise_compiler_error(
        'Another run (' ~ holder[0] ~ ') is writing to schema ' ~ cdc_work_schema() ~ ' since '
        ~ (now - holder[1] | float) | int ~ ' s. Wait for its end. If it was killed: cdc unlock.') }}
{%- endmacro %}
