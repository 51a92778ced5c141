{#- The operation of an event; null where it is not known. A statement that empties the table is a truncate, one that drops it a drop. -#}
{% macro savegress_operation(operation_sent, ddl_type, statement) -%}
    case
        when lower(trim({{ operation_sent }})) = 'upsert' then 'update'
        when lower(trim({{ operation_sent }})) = 'ddl'
            then case
                when
                    {{ ddl_type }} rlike '(?i)^\\s*+truncate(?!.*partition)'
                    or {{ statement }} rlike '(?i)^\\s*+truncate\\b'
                    then 'truncate'
                -- A temporary table is none of those that are streamed: the statement decides, if it is there.
                when
                    coalesce(nullif(trim({{ statement }}), ''), replace({{ ddl_type }}, '_', ' '))
                    rlike '(?i)^\\s*+drop\\s++table\\b'
                    then 'drop'
                else 'ddl'
            end
        when
            lower(trim({{ operation_sent }})) in (
                'insert', 'update', 'delete', 'snapshot', 'truncate', 'begin', 'commit', 'heartbeat'
            )
            then lower(trim({{ operation_sent }}))
    end
{%- endmacro %}
