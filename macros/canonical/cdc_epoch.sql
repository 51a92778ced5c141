{#- Joins the epochs of `cdc_epochs` to a relation of events, without multiplying rows (alias `epochs`). Where none is configured, every
    event is of epoch 0, and nothing is joined. For tables alone: the text depends on the run. -#}
{% macro cdc_epoch_join(vendor) -%}
    {%- if cdc_run_facts().has_epochs -%}
    left join {{ ref('int_epoch_settings') }} as epochs
        on epochs.vendor = {{ vendor }}
    {%- endif -%}
{%- endmacro %}

{#- The epoch of a message: the latest one whose start is not after the message's own time; for a message without a time
    the latest one whose first_landing_batch has been reached; 0 where none is configured. All arguments SQL expressions. -#}
{% macro cdc_epoch(source, schema_name, table_name, own_time, landing_batch) -%}
    {%- if not cdc_run_facts().has_epochs -%}
    0
    {%- else -%}
    coalesce(
        array_max(transform(
            filter(
                epochs.candidates,
                candidate -> {{ cdc_epoch_is_of(source, schema_name, table_name) }}
                    and if(
                        {{ own_time }} is null,
                        candidate.first_landing_batch <= {{ landing_batch }},
                        candidate.starts_at <= {{ own_time }}
                    )
            ),
            candidate -> candidate.epoch
        )),
        0
    )
    {%- endif -%}
{%- endmacro %}

{#- Whether an epoch of `cdc_epochs`, the lambda argument `candidate`, is one of a table. All arguments SQL expressions. -#}
{% macro cdc_epoch_is_of(source, schema_name, table_name) -%}
    candidate.source in ('*', {{ source }})
    and (candidate.schema_name = '*' or candidate.schema_name <=> {{ schema_name }})
    and (candidate.table_name = '*' or candidate.table_name <=> {{ table_name }})
{%- endmacro %}

{#- Whether an epoch resets a table, where `cdc_epoch_join` is joined. All arguments SQL expressions. -#}
{% macro cdc_epoch_resets(epoch, source, schema_name, table_name) -%}
    {%- if not cdc_run_facts().has_epochs -%}
    false
    {%- else -%}
    exists(
        epochs.candidates,
        candidate -> candidate.resets_table
        and candidate.epoch = {{ epoch }}
        and {{ cdc_epoch_is_of(source, schema_name, table_name) | indent(8) }}
    )
    {%- endif -%}
{%- endmacro %}
