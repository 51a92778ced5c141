{#- The number of a segment of a change that was split; null for a whole message. Two generations count segments. -#}
{% macro sqlserver_ces_segment_index(envelope) -%}
    case
        when {{ envelope }}['data'] is null then null
        when not coalesce({{ envelope }}['logicalid'] rlike '^[^:]+:[0-9A-Fa-f]{20}:[0-9]{1,20}$', false) then null
        when try_cast({{ envelope }}['finalsegment'] as boolean) is null
            then case
                when try_cast({{ envelope }}['splittotalcnt'] as int) > 1
                    then try_cast({{ envelope }}['splitindex'] as int)
            end
        when
            not try_cast({{ envelope }}['finalsegment'] as boolean)
            or (
                try_cast({{ envelope }}['segmentindex'] as int) > 0
                and not (startswith({{ envelope }}['data'], '{') and contains({{ envelope }}['data'], '"eventsource"'))
            )
            then try_cast({{ envelope }}['segmentindex'] as int)
    end
{%- endmacro %}
