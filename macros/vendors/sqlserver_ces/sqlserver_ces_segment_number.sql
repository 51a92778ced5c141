{#- The number of an event among the segments of a change that was split; null for an event that is no segment. The two generations count them
    under different names. A final segment that holds the whole data is none. -#}
{% macro sqlserver_ces_segment_number(events) -%}
    case
        when
            {{ events }}.is_surely_whole
            or {{ events }}.data is null
            or not coalesce({{ events }}.logical_id rlike '^[^:]+:[0-9A-Fa-f]{20}:[0-9]{1,20}$', false)
            then null
        when {{ events }}.is_final_segment is null
            then if({{ events }}.split_count > 1 and {{ events }}.split_index >= 0, {{ events }}.split_index, null)
        when not {{ events }}.is_final_segment
            then if({{ events }}.segment_index >= 0, {{ events }}.segment_index, null)
        when
            {{ events }}.segment_index > 0
            and not (startswith({{ events }}.data, '{') and contains({{ events }}.data, '"eventsource"'))
            then {{ events }}.segment_index
    end
{%- endmacro %}
