{#- Whether a change lies before the first transaction of its source that is not known to be whole. -#}
{% macro cdc_is_visible(events) -%}
    {%- if not cdc_shows_whole_transactions() -%} {{ return('true') }} {%- endif -%}
    (
        visible_until.epoch is null
        or {{ events }}.epoch < visible_until.epoch
        or (
            {{ events }}.epoch = visible_until.epoch
            and ({{ events }}.position is null or {{ events }}.position < visible_until.position)
        )
    )
{%- endmacro %}
