{#- Who holds the lock and since when: [invocation id, seconds], and `after a death` where the run before it died. Where the lock is free,
    `ended`, `interrupted` (by Ctrl-C) or `unlocked` stands in place of the id. -#}
{% macro cdc_lock_holder() -%}
    {%- set found = run_query('set ' ~ cdc_lock_name()).rows[0][1] | string -%}
    {{ return(found.split('@') if '@' in found else []) }}
{%- endmacro %}
