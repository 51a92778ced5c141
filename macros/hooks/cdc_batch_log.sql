{#- What happened to landing batches that a run could not read: the table int_batch_log, which exists from the first such event on.
    Events: `died` (a run died that was reading the batch, one of so many), `set aside` and `try again` (an operator decided so). -#}

{#- The log, or no rows. -#}
{% macro cdc_batch_log() -%}
    {{ cdc_relation_or_no_rows(
        cdc_work_schema(), 'int_batch_log',
        cdc_parse_columns('vendor string; landing_batch bigint; event string; batches int; noted_at timestamp')) }}
{%- endmacro %}
