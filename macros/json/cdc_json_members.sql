{#- JSON object text put together from the texts of its members. members: {name: SQL expression of JSON text, null where the
    member is left out}, or SQL expressions of several members without braces under a name that begins with `*`. -#}
{% macro cdc_json_members(members) -%}
    concat(
        '{',
        concat_ws(
            ','
            {%- for name, text in members.items() %},
            {% if name.startswith('*') %}{{ text }}{% else %}concat('"{{ name }}":', {{ text }}){% endif %}
            {%- endfor %}
        ),
        '}'
    )
{%- endmacro %}

{#- The members of an object that have no known name, as JSON text without the braces; null where there are none.
    document: SQL expression of a VARIANT. path: path of the object in it. known: list of the known names. names: SQL
    expression of the names of its members, array<string>, where a model has them already. -#}
{% macro cdc_other_members(document, path, known, names=none) -%}
    {%- set members = "try_variant_get(" ~ document ~ ", '" ~ path ~ "', 'map<string, variant>')" -%}
    {%- set is_other = "name not in ('" ~ known | join("', '") ~ "')" -%}
    case
        when exists({{ names or 'map_keys(' ~ members ~ ')' }}, name -> {{ is_other }})
            then regexp_replace(
                to_json(map_filter({{ members }}, (name, value) -> {{ is_other }})), '^[{]|[}]$', ''
            )
    end
{%- endmacro %}

{#- The members of a JSON object text without the braces; null where there are none. object_text: SQL expression. -#}
{% macro cdc_without_braces(object_text) -%}
    nullif(substring({{ object_text }}, 2, length({{ object_text }}) - 2), '')
{%- endmacro %}
