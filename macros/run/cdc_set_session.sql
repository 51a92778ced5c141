{#- Settings of the session that decide what is written. All clients of the server share one session, so anybody's `set` counts
    for a run too: they are set anew when a run begins. Their reasons: engine/settings.py. -#}
{% macro cdc_set_session() -%}
    {%- for setting in ['session.timeZone=UTC', 'ansi.enabled=true', 'variable.substitute=false'] -%}
        {%- do run_query('set spark.sql.' ~ setting) -%}
    {%- endfor -%}
{%- endmacro %}
