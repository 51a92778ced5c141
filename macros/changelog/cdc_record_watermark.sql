{#- Post-hook of a mart: notes up to which load of the changelog it is made, in cdc_watermarks. -#}
{% macro cdc_record_watermark() -%}
    {%- if not execute or (not cdc_is_first_build() and cdc_is_idle()) -%}
        {{ return('') }}
    {%- endif -%}
    insert into {{ var('cdc_work_schema', 'cdc_work') }}.cdc_watermarks
    select '{{ this.identifier }}' as model_name, coalesce(max(load_number), 0) as load_number
    from {{ var('cdc_schema', 'cdc') }}.cdc_changelog
{%- endmacro %}
