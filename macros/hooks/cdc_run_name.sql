{#- What the lock calls this run: the name that the environment variable CDC_RUN gives to all steps of a command, else dbt's own id. -#}
{% macro cdc_run_name() -%}
    {{ return(env_var('CDC_RUN', '') or invocation_id) }}
{%- endmacro %}
