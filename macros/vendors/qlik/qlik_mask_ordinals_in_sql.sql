{#- The ordinals of the columns that a mask names, as cdc_qlik_mask_ordinals in python_udfs/qlik/masks.py gives them. Each
    hexadecimal digit stands for four columns. -#}
{% macro qlik_mask_ordinals_in_sql(mask, byte_order) -%}
    {#- How many digits stand before the one of an ordinal. Of two digits of a byte the second has the lesser ordinals. -#}
    {%- if byte_order == 'big' -%}
    {%- set digits_before = 'length(' ~ mask ~ ') - 1 - (ordinal - 1) div 4' -%}
    {%- else -%}
    {%- set digits_before = '(ordinal - 1) div 8 * 2 + if((ordinal - 1) % 8 < 4, 1, 0) - length(' ~ mask ~ ') % 2' -%}
    {%- endif -%}
    {#- The place of a digit in this text, divided by 16, leaves what the digit stands for. -#}
    {%- set digits = "'123456789ABCDEF0123456789abcdef'" -%}
    filter(
        sequence(1, length({{ mask }}) * 4 + length({{ mask }}) % 2 * 4),
        ordinal -> bit_get(
            -- An odd number of digits counts as if a zero stood before it.
            if(
                {{ digits_before }} < 0,
                0,
                locate(substring({{ mask }}, int({{ digits_before }}) + 1, 1), {{ digits }}) % 16
            ),
            int((ordinal - 1) % 4)
        ) = 1
    )
{%- endmacro %}
