{#- A number of JSON by its value, as text: 7000 for 7E+3 and 7000.0, 0 for -0. Beyond 400 digits it keeps an exponent. -#}
{% macro cdc_json_number(number) -%}
    case
        when {{ number }} rlike '^(?:0|-?[1-9][0-9]*)$' then {{ number }}
        else element_at(
            transform(
                -- The digits without zeros at either end, and how many of them stand behind the point.
                transform(
                    array(struct(
                        if(startswith({{ number }}, '-'), '-', '') as sign,
                        concat(
                            regexp_extract({{ number }}, '^-?([0-9]+)', 1),
                            regexp_extract({{ number }}, '[.]([0-9]+)', 1)
                        ) as digits,
                        length(regexp_extract({{ number }}, '[.]([0-9]+)', 1))
                        - coalesce(try_cast(regexp_extract({{ number }}, '[eE][+]?(-?[0-9]{1,9})$', 1) as int), 0) as decimals
                    )),
                    written -> struct(
                        written.sign as sign,
                        trim(both '0' from written.digits) as digits,
                        written.decimals - length(written.digits) + length(trim(trailing '0' from written.digits)) as decimals
                    )
                ),
                value -> case
                    when value.digits = '' then '0'
                    when abs(value.decimals) > 400 then concat(value.sign, value.digits, 'E', -value.decimals)
                    when value.decimals <= 0 then concat(value.sign, value.digits, repeat('0', -value.decimals))
                    when length(value.digits) > value.decimals
                        then concat(
                            value.sign,
                            left(value.digits, length(value.digits) - value.decimals),
                            '.',
                            right(value.digits, value.decimals)
                        )
                    else concat(value.sign, '0.', lpad(value.digits, value.decimals, '0'))
                end
            ),
            1
        )
    end
{%- endmacro %}
