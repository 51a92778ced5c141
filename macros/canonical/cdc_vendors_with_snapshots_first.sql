{#- The vendors whose snapshot rows have no read time to trust, as a SQL list of names: such rows sort before all changes of
    their epoch (S9). -#}
{% macro cdc_vendors_with_snapshots_first() -%}
    {%- set names = ["''"] -%}
    {%- for spec in cdc_vendors() if spec.snapshot_placement == 'epoch_start' -%}
        {%- do names.append("'" ~ spec.name ~ "'") -%}
    {%- endfor -%}
    {{ names | join(', ') }}
{%- endmacro %}
