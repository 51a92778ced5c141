{#- The first value of a row image whose first column is the only key column, '' where it is not a plain number or text.
    Most keys are like that, and cutting the value out costs far less than parsing the image. -#}
{% macro cdc_first_value(image, key_columns) -%}
    regexp_extract(
        substr({{ image }}, length({{ key_columns }}[0]) + 5), '^"?((?<=")[^"\\\\\\x00-\\x1f]+(?=")|-?[0-9]{1,38}(?=[,}]))', 1
    )
{%- endmacro %}
