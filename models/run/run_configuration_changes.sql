-- Every configuration that a load began under, line by line.
with recorded as (
    select
        load_number,
        line
    from {{ ref('run_recorded_configuration') }}
),

-- The last one of them.
last_recorded as (
    select line from recorded
    where load_number = (select max(earlier.load_number) from recorded as earlier)
),

-- The configuration of today.
configured as (
    select line from {{ ref('run_configuration_lines') }}
)

-- The lines that have come since,
select
    line,
    true as is_new
from configured
where line not in (select last_recorded.line from last_recorded)
union all
-- and those that have gone.
select
    line,
    false as is_new
from last_recorded
where line not in (select configured.line from configured)
