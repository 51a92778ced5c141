{#- Writes the lock. -#}
{% macro cdc_write_lock(holder, remark='') -%}
    {%- do run_query('set ' ~ cdc_lock_name() ~ '=' ~ holder ~ '@' ~ cdc_now() ~ ('@' ~ remark if remark else '')) -%}
{%- endmacro %}
