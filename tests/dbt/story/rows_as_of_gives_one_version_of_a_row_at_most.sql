{{ config(enabled=var('cdc_fixtures', false) | as_bool, tags=['fixtures']) }}

{%- set times = [
    '2026-03-01 08:30:00', '2026-03-01 09:07:00', '2026-03-01 10:22:00', '2026-03-01 12:50:00', '2027-01-01 00:00:00',
] %}
{%- for time in times %}
select
    '{{ time }}' as at_time,
    vendor,
    source,
    schema_name,
    table_name,
    row_key
from {{ rows_as_of(time=time) }} as rows_then
group by vendor, source, schema_name, table_name, row_key
having count(*) > 1
{{ 'union all' if not loop.last }}
{%- endfor %}
