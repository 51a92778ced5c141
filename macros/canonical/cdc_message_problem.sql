{#- Why the body of a raw message, relation `raw`, is never parsed: a reason code, or null. -#}
{% macro cdc_message_problem() -%}
    case
        when octet_length(raw.value) > {{ cdc_largest_message() }} then 'TOO_LARGE'
        when try_element_at(raw.headers, 'cdc-problem') = 'the body is not UTF-8' then 'NOT_UTF8'
    end
{%- endmacro %}

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

{#- What finds a large message in the raw table again: its size in bytes, and the SHA-256 of its body. -#}
{% macro cdc_large_message_metadata(body) -%}
    to_json(struct(octet_length({{ body }}) as bytes, sha2({{ body }}, 256) as sha256))
{%- endmacro %}

{#- The largest body that is parsed, in bytes (var cdc_largest_message). -#}
{% macro cdc_largest_message() -%}
    {%- set bytes = var('cdc_largest_message', 4000000) -%}
    {%- if bytes is not number or bytes < 1000 -%}
        {{ exceptions.raise_compiler_error(
            "var cdc_largest_message is '" ~ bytes ~ "'; expected a number of bytes, at least 1000.") }}
    {%- endif -%}
    {{ return(bytes | int) }}
{%- endmacro %}

{#- Whether a stored event is a message that was too large and that the setting allows now. -#}
{% macro cdc_is_large_message_to_read() -%}
    (reason = 'TOO_LARGE' and cast(get_json_object(metadata, '$.bytes') as bigint) <= {{ cdc_largest_message() }})
{%- endmacro %}
