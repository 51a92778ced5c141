{#- The session setting that is the lock. -#}
{% macro cdc_lock_name() -%}
    {{ return('cdc.lock.' ~ cdc_work_schema()) }}
{%- endmacro %}
