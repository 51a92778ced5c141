{#- The vendors that mark the end of a transaction in one way, as a SQL list of names.
    way: `counted` (each change has a number and the last one says so), `commit` (an event of its own) or `next` (nothing
    says it; it has ended when a later transaction has begun). -#}
{% macro cdc_vendors_whose_transactions_are(way) -%}
    {%- set names = ["''"] -%}
    {%- for spec in cdc_vendors() if spec.transactions == way -%} {%- do names.append("'" ~ spec.name ~ "'") -%} {%- endfor -%}
    {{ return(names | join(', ')) }}
{%- endmacro %}
