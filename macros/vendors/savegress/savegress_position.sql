{#- A position as text that sorts, `<commit>/<sequence>`, or null where it cannot be read; each engine has widths of its own. -#}
{% macro savegress_position(text, fields) -%}
    concat(
        case
            when {{ fields }} is null then {{ cdc_postgres_lsn(text) }}
            when {{ fields }}.lsn is not null then {{ cdc_postgres_lsn(fields ~ '.lsn') }}
            when {{ fields }}.file rlike '[^0-9][0-9]{1,10}$' and {{ fields }}.position rlike '^[0-9]{1,20}$'
                then concat(
                    lpad(regexp_extract({{ fields }}.file, '([0-9]+)$', 1), 10, '0'), '.', lpad({{ fields }}.position, 20, '0')
                )
            when {{ fields }}.cluster_time.t rlike '^[0-9]{1,10}$' and {{ fields }}.cluster_time.i rlike '^[0-9]{1,10}$'
                then concat(
                    lpad({{ fields }}.cluster_time.t, 10, '0'), '.', lpad({{ fields }}.cluster_time.i, 10, '0')
                )
        end,
        '/',
        case
            when {{ fields }}.sequence is null then repeat('0', 20)
            when {{ fields }}.sequence rlike '^[0-9]{1,20}$' then lpad({{ fields }}.sequence, 20, '0')
        end
    )
{%- endmacro %}
