{#- Joins the epochs of `cdc_epochs` (alias `epochs`) without multiplying rows. For tables alone: the text depends on the run. -#}
{% macro cdc_epoch_join(vendor) -%}
    {%- if cdc_run_facts().has_epochs -%}
    left join (
        select vendor, collect_list(struct(*)) as candidates
        from {{ ref('run_epoch_settings') }}
        group by vendor
    ) as epochs
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

{#- Whether an epoch, the lambda argument or relation `candidate`, is one of a table. -#}
{% macro cdc_epoch_is_of(source, schema_name, table_name) -%}
    candidate.source in ('*', {{ source }})
    and (candidate.schema_name = '*' or candidate.schema_name <=> {{ schema_name }})
    and (candidate.table_name = '*' or candidate.table_name <=> {{ table_name }})
{%- endmacro %}
