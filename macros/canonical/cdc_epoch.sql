{#- Joins the epochs of `cdc_epochs` (alias `epochs`) without multiplying rows. For tables alone: the text depends on the run. -#}
{% macro cdc_epoch_join(vendor) -%}
    {%- if cdc_run_facts().has_epochs -%}
    left join {{ ref('int_epoch_settings') }} as epochs
        on epochs.vendor = {{ vendor }}
    {%- endif -%}
{%- endmacro %}

{#- The epoch of a message: the latest one that its own time has reached; without a time, the latest that its landing batch has. -#}
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

{#- Whether the epoch in the lambda argument `candidate` is one of a table. -#}
{% macro cdc_epoch_is_of(source, schema_name, table_name) -%}
    candidate.source in ('*', {{ source }})
    and (candidate.schema_name = '*' or candidate.schema_name <=> {{ schema_name }})
    and (candidate.table_name = '*' or candidate.table_name <=> {{ table_name }})
{%- endmacro %}

{#- Whether an epoch resets a table, where `cdc_epoch_join` is joined. -#}
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
