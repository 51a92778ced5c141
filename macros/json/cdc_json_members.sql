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

{#- The members of an object that have no known name, as JSON text without the braces; null where there are none. Nearly always
    there are none, so names are looked at before anything is made of them.
    document: SQL expression of a VARIANT. path: path of the object in it. known: list of the known names, or a SQL condition
    on `name`. names: SQL expression of the names of its members, array<string>, where a model has them already, or
    cdc_member_names where the object is large: for a small one it costs as much as reading the values. -#}
{% macro cdc_other_members(document, path, known, names=none) -%}
    {%- set is_known = known if known is string else "name in ('" ~ known | join("', '") ~ "')" -%}
    {%- set members = "try_variant_get(" ~ document ~ ", '" ~ path ~ "', 'map<string, variant>')" -%}
    case when exists({{ names or 'map_keys(' ~ members ~ ')' }}, name -> not ({{ is_known }})) then regexp_replace(
        to_json(map_filter({{ members }}, (name, value) -> not ({{ is_known }}))), '^[{]|[}]$', ''
    ) end
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
