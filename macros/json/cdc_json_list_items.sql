{#- The items of a body that is one JSON list, as JSON texts with their numbers as they were sent; any other body is one item. -#}
{% macro cdc_json_list_items(body) -%}
    {%- set list = "concat('{\"items\":', " ~ body ~ ", '}')" -%}
    case
        when startswith({{ body }}, '[') and {{ cdc_is_one_json_value(body) }} and json_array_length({{ body }}) > 0
            then transform(
                {{ cdc_exact_items(list, 'items', "from_json(" ~ list ~ ", 'items array<string>').items") }},
                item -> coalesce({{ cdc_json_list_item('item') }}, 'null')
            )
        else array({{ body }})
    end
{%- endmacro %}
