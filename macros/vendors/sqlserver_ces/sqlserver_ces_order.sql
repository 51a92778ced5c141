{#- Where a change lies: by its logicalid, else by its transaction; null where the two differ, since nobody can say which is wrong. -#}
{% macro sqlserver_ces_order(logicalid, transaction) -%}
    case
        when
            upper(replace({{ transaction }}.commitlsn, ':', '')) <> upper(split_part({{ logicalid }}, ':', 2))
            or lpad({{ transaction }}.sequencenumber, 20, '0') <> lpad(split_part({{ logicalid }}, ':', 3), 20, '0')
            then null
        when {{ logicalid }} rlike '^[^:]+:[0-9A-Fa-f]{20}:[0-9]{1,20}$'
            then struct(
                lower(split_part({{ logicalid }}, ':', 1)) as stream,
                upper(split_part({{ logicalid }}, ':', 2)) as commit_lsn,
                lpad(split_part({{ logicalid }}, ':', 3), 20, '0') as sequence
            )
        when
            {{ logicalid }} is null and {{ transaction }}.commitlsn rlike '^[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{4}$'
            and {{ transaction }}.sequencenumber rlike '^[0-9]{1,20}$'
            then struct(
                cast(null as string) as stream,
                upper(replace({{ transaction }}.commitlsn, ':', '')) as commit_lsn,
                lpad({{ transaction }}.sequencenumber, 20, '0') as sequence
            )
    end
{%- endmacro %}
