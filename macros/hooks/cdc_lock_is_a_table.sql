{#- Whether the lock is a table, which all servers of the warehouse see, or a setting of the server's one session. -#}
{% macro cdc_lock_is_a_table() -%}
    {{ return(cdc_choice('cdc_lock_in', ['session', 'table']) == 'table') }}
{%- endmacro %}
