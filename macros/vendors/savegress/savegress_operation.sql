{#- The operation of an event; null where it is not known. A statement that empties a table is a truncate, comments before it allowed. -#}
{% macro savegress_operation(sent, ddl_type, ddl_command) -%}
    case
        when lower(trim({{ sent }})) = 'upsert' then 'update'
        when
            lower(trim({{ sent }})) = 'ddl'
            and (
                {{ ddl_type }} rlike '(?i)^\\s*truncate(?!.*partition)'
                or {{ ddl_command }} rlike '(?is)^(?:\\s++|--[^\\n]*+\\n|/[*].*?[*]/)*+truncate\\b'
            )
            then 'truncate'
        when
            lower(trim({{ sent }})) in (
                'insert', 'update', 'delete', 'snapshot', 'truncate', 'ddl', 'begin', 'commit', 'heartbeat'
            )
            then lower(trim({{ sent }}))
    end
{%- endmacro %}
