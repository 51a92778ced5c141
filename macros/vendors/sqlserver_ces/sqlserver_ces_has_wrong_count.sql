{#- Whether the attributes that count a change's segments are not what they should be: no boolean, no number, below 0. -#}
{% macro sqlserver_ces_has_wrong_count(envelope) -%}
    (
        {{ envelope }}['finalsegment'] is not null
        and (
            try_cast({{ envelope }}['finalsegment'] as boolean) is null
            or coalesce(try_cast({{ envelope }}['segmentindex'] as int), -1) < 0
        )
        or {{ envelope }}['splittotalcnt'] is not null
        and least(
            coalesce(try_cast({{ envelope }}['splittotalcnt'] as int), -1),
            coalesce(try_cast({{ envelope }}['splitindex'] as int), -1)
        ) < 0
    )
{%- endmacro %}
