{#- The session setting that is the lock (`lock`), or the heartbeat of the run that holds it (`heartbeat`). -#}
{% macro cdc_lock_name(note='lock') -%}
    {{ return('cdc.' ~ note ~ '.' ~ cdc_work_schema()) }}
{%- endmacro %}
