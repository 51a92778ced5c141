{#- Whether a message, relation `raw`, lies in a landing batch that this run reads. -#}
{% macro cdc_is_of_new_batch(vendor) -%}
    {%- set of_vendor = 'from ' ~ ref('run_landing_batches') ~ " as batches where batches.vendor = '" ~ vendor ~ "'" -%}
    raw.landing_batch in (select batches.landing_batch {{ of_vendor }})
            -- Constant bounds let Spark leave out the partitions of other batches before the scan.
            and raw.landing_batch >= (select min(batches.landing_batch) {{ of_vendor }})
            and raw.landing_batch <= (select max(batches.landing_batch) {{ of_vendor }})
{%- endmacro %}
