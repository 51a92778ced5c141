{#- The event variants that are read, in lower case, as a list for Jinja. `copy` is a row of the initial copy, which is no
    event of the vendor's. -#}
{% macro supabase_etl_variants() -%}
    {{ return([
        'begin', 'commit', 'relation', 'insert', 'update', 'delete', 'truncate', 'unsupported', 'copy',
    ]) }}
{%- endmacro %}
