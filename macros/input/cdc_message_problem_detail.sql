{#- What was found and what is allowed, for the column reason_detail. -#}
{% macro cdc_message_problem_detail(raw) -%}
    case {{ raw }}.problem
        when 'TOO_LARGE'
            then concat(
                'The body has ', octet_length({{ raw }}.value), ' bytes; cdc_largest_message allows {{ cdc_largest_message() }}.'
                ' It lies in the raw table, and is read when the setting grows.'
            )
        when 'NOT_UTF8' then 'The bytes of the body are not UTF-8; value holds them in base64.'
    end
{%- endmacro %}
