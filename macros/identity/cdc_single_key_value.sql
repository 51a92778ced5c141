{#- The value of an image's first column, the only key; '' where it is no plain number or text. Far cheaper than parsing the image. -#}
{% macro cdc_single_key_value(image, key_columns) -%}
    regexp_extract(
        substr({{ image }}, length({{ key_columns }}[0]) + 5), '^"?((?<=")[^"\\\\\\x00-\\x1f]+(?=")|(?:0|-?[1-9][0-9]{0,37})(?=[,}]))', 1
    )
{%- endmacro %}
