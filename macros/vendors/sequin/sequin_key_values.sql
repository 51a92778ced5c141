{#- The key's values out of record_pks, as texts; one null where a value is TOAST that was not sent, null where there are none. -#}
{% macro sequin_key_values(record_pks) -%}
    case
        when {{ record_pks }} is null or {{ record_pks }} = '[]' then cast(null as array<string>)
        when array_contains(from_json({{ record_pks }}, 'array<string>'), 'unchanged_toast') then array(cast(null as string))
        else from_json({{ record_pks }}, 'array<string>')
    end
{%- endmacro %}
