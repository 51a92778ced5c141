{#- Names and opens the events of a relation: a select that adds to its columns `variant` (lower case, as tagged; null where the
    element names none), `event_text` (the JSON object of the event's fields) and `event`, a map from field names to their JSON
    text (strings without quotes).
    relation: a relation or CTE with element_text, JSON text without blanks around it. -#}
{% macro supabase_etl_events(relation) -%}
    {%- set variants = supabase_etl_variants() | join('|') -%}
    select
        *,
        coalesce(lower(tag), lower(event['type'])) as variant
    from (
        select
            *,
            from_json(event_text, 'map<string,string>') as event
        from (
            select
                *,
                case
                    when tag is null or element_keys is null then element_text
                    -- The usual form: all between the first colon and the last brace.
                    when size(element_keys) = 1
                        then substring(
                            element_text,
                            locate(':', element_text) + 1,
                            length(element_text) - locate(':', element_text) - 1
                        )
                    else get_json_object(element_text, concat('$[''', tag, ''']'))
                end as event_text
            from (
                select
                    *,
                    case
                        when element_text rlike '^"(?i:unsupported)"$' then 'unsupported'
                        when
                            not array_contains(element_keys, 'type')
                            and size(filter(element_keys, name -> name rlike '^(?i:{{ variants }})$')) = 1
                            then filter(element_keys, name -> name rlike '^(?i:{{ variants }})$')[0]
                    end as tag
                from (
                    select
                        *,
                        -- Where a `type` field names the variant, the keys need not be looked at.
                        case
                            when
                                element_text rlike '^\\{\\s*"(?i:{{ variants }})"\\s*:'
                                or (element_text like '{%' and not contains(element_text, '"type"'))
                                then json_object_keys(element_text)
                        end as element_keys
                    from {{ relation }}
                )
            )
        )
    )
{%- endmacro %}
