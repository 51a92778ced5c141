{#- An event without the name that may wrap it, {"Insert": {…}}, columns of a select list. -#}
{% macro supabase_etl_event_columns(event) -%}
    case
        when endswith({{ event }}, '}')
            then nullif(regexp_extract({{ event }}, '(?i)^\\{\\s*"(?:{{ supabase_etl_events() | join('|') }})"\\s*:\\s*', 0), '')
    end as wrapping,
    lower(regexp_extract(wrapping, '[A-Za-z]+', 0)) as wrapped_as,
    if(
        wrapping is null, {{ event }},
        substring({{ event }}, length(wrapping) + 1, length({{ event }}) - length(wrapping) - 1)
    ) as text_sent,
    if(contains(text_sent, '-0.0'), {{ cdc_negative_zeros_as_double('text_sent') }}, text_sent) as event_text
{%- endmacro %}

{#- The names of the events that are read. `copy` is a row of the initial copy, which is no event of the vendor's. -#}
{% macro supabase_etl_events() -%}
    {{ return(['begin', 'commit', 'relation', 'insert', 'update', 'delete', 'truncate', 'unsupported', 'copy']) }}
{%- endmacro %}
