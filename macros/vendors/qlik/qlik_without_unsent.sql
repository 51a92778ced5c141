{#- A row image without the members that are null only because their column was not captured. -#}
{% macro qlik_without_unsent(row, unsent) -%}
    case
        when {{ unsent }} is null or size({{ unsent }}) = 0 or not contains({{ row }}, ':null') then {{ row }}
        -- A nested object may hold a member of the same name, so the members have to be kept apart; one that holds a key
        -- twice cannot be read that way.
        else coalesce(
            case
                when contains({{ row }}, ':{') or contains({{ row }}, '[{')
                    then to_json(
                        map_filter(
                            from_json({{ row }}, 'map<string,variant>'),
                            (name, value) -> not (is_variant_null(value) and array_contains({{ unsent }}, name))
                        )
                    )
            end,
            concat(
                '{',
                trim(
                    both ',' from aggregate(
                        transform(
                            {{ unsent }}, name -> concat(',"', replace(replace(name, '\\', '\\\\'), '"', '\\"'), '":null,')
                        ),
                        concat(',', substring({{ row }}, 2, length({{ row }}) - 2), ','),
                        (members, unsent_member) -> replace(members, unsent_member, ',')
                    )
                ),
                '}'
            )
        )
    end
{%- endmacro %}
