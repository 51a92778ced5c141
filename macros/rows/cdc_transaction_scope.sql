{#- What changes of one transaction have in common: the epoch, and the transaction or the first part of the position. -#}
{% macro cdc_transaction_scope(event) -%}
    concat({{ event }}epoch, ':', coalesce({{ event }}transaction_id, substring_index({{ event }}position, '/', 1)))
{%- endmacro %}
