{#- Whether the lock is a table, which all servers of the warehouse see, or a setting of the server's one session. -#}
{% macro cdc_lock_is_a_table() -%}
    {%- set lock_in = var('cdc_lock_in', 'session') -%}
    {%- if lock_in not in ['session', 'table'] -%}
        {{ exceptions.raise_compiler_error("cdc_lock_in is '" ~ lock_in ~ "'; expected session or table.") }}
    {%- endif -%}
    {{ return(lock_in == 'table') }}
{%- endmacro %}
