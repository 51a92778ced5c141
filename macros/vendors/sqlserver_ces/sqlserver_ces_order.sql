{#- Where a change lies, a struct of stream (the first part of a logicalid), commit_lsn (20 hexadecimal digits) and sequence (20
    digits): by the logicalid, and where there is none by the transaction. Null where it cannot be read, and where the two differ:
    one of them is wrong then, and nobody can say which.
    logicalid: SQL expression. transaction: SQL expression, a struct of commitlsn and sequencenumber. -#}
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
