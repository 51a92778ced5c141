{#- How much of the row the new image holds. A short list without a gap may be whole or not: it is unknown until cdc_tables says. -#}
{% macro sqlserver_ces_after_image(operation, lacks_columns, replica_identity, has_gaps) -%}
    case
        when {{ operation }} = 'delete' then 'none'
        when {{ lacks_columns }} then 'partial'
        when {{ operation }} = 'insert' or {{ replica_identity }} = 'full' then 'full'
        when {{ replica_identity }} = 'default' or {{ has_gaps }} then 'partial'
        else 'unknown'
    end
{%- endmacro %}

{#- How much of the row the old image of a change holds: full, changed, key, partial, unknown or none. -#}
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
