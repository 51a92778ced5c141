{#- Who holds the lock and since when: [invocation id, seconds], and `after a run that died` where the run before it died. Where the lock is free,
    `ended`, `interrupted` (by Ctrl-C) or `unlocked` stands in place of the id. -#}
{% macro cdc_lock_holder() -%}
    {{ return(cdc_lock_note('lock')) }}
{%- endmacro %}
