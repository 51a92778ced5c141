{#- Leaves a landing batch unread: dbt run-operation cdc_set_aside --args '{vendor: NAME, landing_batch: NUMBER}'. -#}
{% macro cdc_set_aside(vendor, landing_batch) -%}
    {%- do cdc_note_batches([[vendor, landing_batch]], 'set aside') -%}
    {{ log(
        'Batch ' ~ landing_batch ~ ' of ' ~ vendor ~ ' is set aside: its messages stay in the raw table, and no run reads them. '
        ~ '`cdc try-again ' ~ vendor ~ ' ' ~ landing_batch ~ '` takes that back.', info=true) }}
{%- endmacro %}
