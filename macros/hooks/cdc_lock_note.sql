{#- What is noted of the lock (`lock`) or of the run that holds it (`heartbeat`), taken apart at each `@`; an empty list where nothing is. -#}
{% macro cdc_lock_note(note) -%}
    {%- set query = 'select note from ' ~ cdc_lock_table(note) if cdc_lock_is_a_table() else 'set ' ~ cdc_lock_name(note) -%}
    {%- set found = run_query(query).rows[0].values() | last | string -%}
    {{ return(found.split('@') if '@' in found else []) }}
{%- endmacro %}
