{#- How much of the row the new image of a change holds: full, partial, unknown or none.
    An insert holds the whole row. An update may hold the whole row or the key and what changed, and its list of columns shrinks
    with it: a gap in the ordinals gives a short list away, but a list without a gap may be whole or just the first columns.
    Taking a short image for whole would lose columns, so it stays unknown until cdc_tables says how the table is streamed.
    All arguments are SQL expressions; lacks_columns: a listed column is not in the image; has_gaps: in the ordinals. -#}
{% macro sqlserver_ces_after_image(operation, lacks_columns, replica_identity, has_gaps) -%}
    case
        when {{ operation }} = 'delete' then 'none'
        when {{ lacks_columns }} then 'partial'
        when {{ operation }} = 'insert' or {{ replica_identity }} = 'full' then 'full'
        when {{ replica_identity }} = 'default' or {{ has_gaps }} then 'partial'
        else 'unknown'
    end
{%- endmacro %}

{#- How much of the row the old image of a change holds: full, changed, key, partial, unknown or none.
    All arguments are SQL expressions; image: JSON text; is_key_only: the image holds no other column than the key's. -#}
{% macro sqlserver_ces_before_image(
    operation, image, is_key_only, lacks_columns, after_image, after_lacks_columns, replica_identity, has_gaps
) -%}
    case
        when {{ operation }} = 'insert' or {{ image }} is null then 'none'
        when {{ is_key_only }} then 'key'
        when {{ operation }} = 'update' and {{ after_image }} = 'partial' and not {{ after_lacks_columns }} then 'changed'
        when {{ operation }} = 'update' and {{ after_image }} = 'unknown' then 'unknown'
        when {{ lacks_columns }} then 'partial'
        when {{ replica_identity }} = 'default' or ({{ replica_identity }} <> 'full' and {{ has_gaps }}) then 'partial'
        else 'full'
    end
{%- endmacro %}
