{#- The names of the events that are read. `copy` is a row of the initial copy, which is no event of the vendor's. -#}
{% macro supabase_etl_events() -%}
    {{ return(['begin', 'commit', 'relation', 'insert', 'update', 'delete', 'truncate', 'unsupported', 'copy']) }}
{%- endmacro %}
