{%- set recorded_columns = cdc_parse_columns('load_number bigint\nline string\naffects_marts_only boolean') %}
-- Every configuration that a load began under, line by line.
select
    load_number,
    line
from {{ cdc_existing_table('run_configuration', recorded_columns) }}
