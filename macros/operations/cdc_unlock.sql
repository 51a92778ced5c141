{#- Takes the lock from a run that was killed: dbt run-operation cdc_unlock. -#}
{% macro cdc_unlock() -%}
    {%- do cdc_create_lock() -%}
    {%- do cdc_write_lock('unlocked') -%}
    {{ log('The lock is free.', info=true) }}
{%- endmacro %}
