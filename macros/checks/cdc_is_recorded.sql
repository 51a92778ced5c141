{#- Whether the configuration of today is the one that was recorded last. -#}
{% macro cdc_is_recorded(now, recorded) -%}
    {%- set differences = run_query(
        'select line from (select line, 1 as times from (' ~ now ~ ') union all select line, -1 from ' ~ recorded
        ~ ' where load_number = (select max(load_number) from ' ~ recorded ~ ')) group by line having sum(times) <> 0') -%}
    {{ return(differences.rows | length == 0) }}
{%- endmacro %}
