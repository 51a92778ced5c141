{#- JSON object text put together from the texts of its members. members: {name: SQL expression of JSON text, null where the
    member is left out}, or SQL expressions of several members without braces under a name that begins with `*`. -#}
{% macro cdc_json_members(members) -%}
    concat('{', concat_ws(
        ','
        {%- for name, text in members.items() %},
        {% if name.startswith('*') %}{{ text }}{% else %}concat('"{{ name }}":', {{ text }}){% endif %}
        {%- endfor %}
    ), '}')
{%- endmacro %}

{#- Of some names those that are not known, array<string>. names: SQL expression, array<string>. known: list of names. -#}
{% macro cdc_other_names(names, known) -%}
    array_except({{ names }}, array('{{ known | join("', '") }}'))
{%- endmacro %}

{#- The members of an object that have these names, as JSON text without the braces; null where no name is given: so it nearly
    always is, and nothing is made of the object then.
    document: SQL expression of a VARIANT. path: path of the object in it. names: SQL expression, array<string>. -#}
{% macro cdc_members_named(document, path, names) -%}
    case when size({{ names }}) > 0 then regexp_replace(to_json(map_filter(
        try_variant_get({{ document }}, '{{ path }}', 'map<string, variant>'),
        (name, value) -> array_contains({{ names }}, name)
    )), '^[{]|[}]$', '') end
{%- endmacro %}

{#- The names of an object's members, array<string>. The values are read as empty structs, which copies none of them.
    document: SQL expression of a VARIANT. path: path of the object in it. -#}
{% macro cdc_member_names(document, path) -%}
    map_keys(try_variant_get({{ document }}, '{{ path }}', 'map<string, struct<>>'))
{%- endmacro %}

{#- The members of a JSON object text without the braces; null where there are none. object_text: SQL expression. -#}
{% macro cdc_without_braces(object_text) -%}
    nullif(substring({{ object_text }}, 2, length({{ object_text }}) - 2), '')
{%- endmacro %}
