{#- Lets runs read a landing batch again: dbt run-operation cdc_try_again --args '{vendor: NAME, landing_batch: NUMBER}'. -#}
{% macro cdc_try_again(vendor, landing_batch) -%}
    {%- do cdc_note_batches([[vendor, landing_batch]], 'try again') -%}
    {{ log('The next run reads batch ' ~ landing_batch ~ ' of ' ~ vendor ~ '.', info=true) }}
{%- endmacro %}
