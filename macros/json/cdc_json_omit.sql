{#- A JSON object without those members of some names that have one value; all others stay as they are written. -#}
{% macro cdc_json_omit(object_text, names, value) -%}
    {%- set members_cut_out -%}
        concat(
            '{',
            trim(both ',' from aggregate(
                transform({{ names }}, name -> concat(',', {{ cdc_json_string('name') }}, {{ cdc_literal(':' ~ value ~ ',') }})),
                concat(',', substring({{ object_text }}, 2, length({{ object_text }}) - 2), ','),
                (members, member) -> replace(members, member, ',')
            )),
            '}'
        )
    {%- endset -%}
    case
        when coalesce(size({{ names }}), 0) <= 0 or not contains({{ object_text }}, {{ cdc_literal(':' ~ value) }})
            then {{ object_text }}
        -- A nested object may hold a member of the same name: the members are kept apart then. One that holds a key twice
        -- cannot be.
        when contains({{ object_text }}, ':{') or contains({{ object_text }}, '[{')
            then coalesce({{ cdc_json_pick(object_text, names, value) }}, {{ members_cut_out }})
        else {{ members_cut_out }}
    end
{%- endmacro %}
