{#- Sets anew what decides what is written: clients of the server may share one session. The reasons: cdc_changelog/server/settings.py. -#}
{% macro cdc_set_session() -%}
    {%- for setting in ['session.timeZone=UTC', 'ansi.enabled=true', 'variable.substitute=false'] -%}
        {%- do run_query('set spark.sql.' ~ setting) -%}
    {%- endfor -%}
{%- endmacro %}
