{#- The name of a column whose value was there and could not be cast, or lost digits; null where all went well. -#}
{% macro cdc_cast_error(name, type, fields='fields') -%}
    {%- set sent = cdc_changelog.cdc_typed_column(name, 'string', fields) -%}
    {%- set typed = cdc_changelog.cdc_typed_column(name, type, fields) -%}
    case
        when {{ sent }} is not null and {{ typed }} is null then {{ cdc_changelog.cdc_literal(name) }}
        {%- if type | lower | trim | replace('decimal', '') != type | lower | trim %}
        when {{ typed }} <> try_cast({{ sent }} as decimal(38,18)) then {{ cdc_changelog.cdc_literal(name) }}
        {%- endif %}
    end
{%- endmacro %}
