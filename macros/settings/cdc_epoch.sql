{#- The epoch of a message: the latest one that its own time has reached; without a time, the latest that its landing batch has. -#}
{% macro cdc_epoch(source, schema_name, table_name, own_time, landing_batch) -%}
    {%- if not cdc_load_plan().has_epochs -%}
    0
    {%- else -%}
    coalesce(
        array_max(transform(
            filter(
                epochs.candidates,
                candidate -> {{ cdc_epoch_is_of('candidate', source, schema_name, table_name) }}
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
