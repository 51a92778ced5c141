{#- Joins what cdc_is_visible needs (alias `visible_until`) to a relation of events. -#}
{% macro cdc_visible_until_join(events) -%}
    {%- if cdc_shows_whole_transactions() -%}
    left join {{ ref('int_visibility_watermarks') }} as visible_until
        on {{ events }}.vendor = visible_until.vendor and {{ events }}.source = visible_until.source
    {%- endif -%}
{%- endmacro %}
