{#- Joins the epochs of `cdc_epochs` (alias `epochs`) without multiplying rows. For tables alone: the text depends on the run. -#}
{% macro cdc_epoch_join(vendor) -%}
    {%- if cdc_load_plan().has_epochs -%}
    left join (
        select vendor, collect_list(struct(*)) as candidates
        from {{ ref('run_epoch_settings') }}
        group by vendor
    ) as epochs
        on epochs.vendor = {{ vendor }}
    {%- endif -%}
{%- endmacro %}
