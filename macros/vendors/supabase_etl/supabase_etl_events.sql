{#- Names and opens the events of a relation: a select that adds to its columns `tag` (the variant's name where it wraps the
    event, {"Insert": {…}}), `variant` (the name in lower case in either spelling; null where the element names none) and
    `event`, a map from the event's field names to their JSON text (strings without quotes).
    relation: a relation or CTE with element_text, JSON text without blanks around it. -#}
{% macro supabase_etl_events(relation) -%}
    {%- set variants = supabase_etl_variants() | join('|') -%}
    select
        *,
        coalesce(lower(tag), lower(event['type'])) as variant
    from (
        select
            *,
            from_json({{ supabase_etl_event_text('element_text', 'tag') }}, 'map<string,string>') as event
        from (
            select
                *,
                -- Two variants in one object, or one beside a `type`, are not wrapped events.
                case
                    when element_text rlike '^"(?i:unsupported)"$' then 'unsupported'
                    when
                        not array_contains(element_keys, 'type')
                        and size(regexp_extract_all(array_join(element_keys, '\n'), '(?im)^(?:{{ variants }})$', 0)) = 1
                        then regexp_extract(array_join(element_keys, '\n'), '(?im)^(?:{{ variants }})$', 0)
                end as tag
            from (
                select
                    *,
                    -- Where a `type` field names the variant, the keys need not be looked at.
                    case
                        when
                            element_text rlike '^\\{\\s*"(?i:{{ variants }})"\\s*:'
                            or (startswith(element_text, '{') and not contains(element_text, '"type"'))
                            then json_object_keys(element_text)
                    end as element_keys
                from {{ relation }}
            )
        )
    )
{%- endmacro %}
