{#- Writes the lock. In a table it is written only where it still says what was `found`, if that is given. -#}
{% macro cdc_write_lock(holder, remark='', found=[]) -%}
    {%- set note = holder ~ '@' ~ cdc_now() ~ ('@' ~ remark if remark else '') -%}
    {%- if cdc_lock_is_a_table() -%}
        {%- do run_query(
            'update ' ~ cdc_lock_table('lock') ~ ' set note = ' ~ cdc_literal(note)
            ~ (' where note = ' ~ cdc_literal(found | join('@')) if found else '')
        ) -%}
    {%- else -%}
        {%- do run_query('set ' ~ cdc_lock_name() ~ '=' ~ note) -%}
    {%- endif -%}
{%- endmacro %}
