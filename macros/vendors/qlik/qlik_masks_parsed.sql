{#- The masks of a message of any layout, out of all places where they may stand: an array with nulls.
    value: SQL expression of the raw body. -#}
{% macro qlik_masks_parsed(value) -%}
    {%- set masks = 'changeMask:string,columnMask:string' -%}
    {%- set flat_masks = 'headers_changeMask:string,headers_columnMask:string,' ~ masks -%}
    {%- set places = 'headers:struct<' ~ masks ~ '>,' ~ flat_masks -%}
    flatten(
        transform(
            array(
                from_json(
                    {{ cdc_trimmed(value) }},
                    'struct<{{ places }},message:struct<{{ places }}>>'
                )
            ),
            parsed -> array(
                {%- for body in ['parsed', 'parsed.message'] %}
                {%- for place in [body ~ '.headers.', body ~ '.headers_', body ~ '.'] %}
                {{ place }}changeMask, {{ place }}columnMask{{ ',' if not (loop.last and body == 'parsed.message') }}
                {%- endfor %}
                {%- endfor %}
            )
        )
    )
{%- endmacro %}
