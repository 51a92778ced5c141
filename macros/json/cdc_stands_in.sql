{#- Whether an image, as from_json read it, stands in the text of its event character for character under its name; true where there is no
    image, so that nothing more is asked of such an event. -#}
{% macro cdc_stands_in(event, member, image) -%}
    coalesce(contains({{ event }}, concat('"{{ member }}":', {{ image }})), true)
{%- endmacro %}
