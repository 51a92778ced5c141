{#- The type of a table schema in cdc_table_schemas. -#}
{% macro cdc_table_columns_type() -%}
    {{ return(
        'array<struct<name:string,type:string,ordinal:int,key_position:int,length:bigint,precision:int,scale:int,'
        ~ 'nullable:boolean>>'
    ) }}
{%- endmacro %}
