{#- JSON object text put together from the texts of its members. -#}
{% macro cdc_json_members(members) -%}
    concat('{', concat_ws(
        ','
        {%- for name, text in members.items() %},
        {% if name.startswith('*') %}{{ text }}{% else %}concat('"{{ name }}":', {{ text }}){% endif %}
        {%- endfor %}
    ), '}')
{%- endmacro %}

{#- Of some names those that are not known, array<string>. -#}
{% macro cdc_other_names(names, known) -%}
    array_except({{ names }}, array('{{ known | join("', '") }}'))
{%- endmacro %}

{#- The members of an object that have these names, as JSON text without braces. Nearly always none: nothing is made of it then. -#}
{% macro cdc_members_named(document, path, names) -%}
    case when size({{ names }}) > 0 then regexp_replace(to_json(map_filter(
        try_variant_get({{ document }}, '{{ path }}', 'map<string, variant>'),
        (name, value) -> array_contains({{ names }}, name)
    )), '^[{]|[}]$', '') end
{%- endmacro %}

{#- The names of an object's members, array<string>. The values are read as empty structs, which copies none of them. -#}
{% macro cdc_member_names(document, path) -%}
    map_keys(try_variant_get({{ document }}, '{{ path }}', 'map<string, struct<>>'))
{%- endmacro %}

{#- The members of a JSON object text without the braces; null where there are none. -#}
{% macro cdc_without_braces(object_text) -%}
    nullif(substring({{ object_text }}, 2, length({{ object_text }}) - 2), '')
{%- endmacro %}
