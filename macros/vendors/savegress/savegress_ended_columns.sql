{#- The columns that the actions of an `alter table` drop or give other names, as the statement writes them, array<string>; null for null. -#}
{% macro savegress_ended_columns(actions) -%}
    {%- set column = savegress_identifier() -%}
    {#- drop column a, drop b; rename column a to b; change a b int, as MySQL writes it, where the name may stay; behind one `drop
        column` also the further names of a list, as SQL Server writes it. -#}
    regexp_extract_all(
        case when startswith({{ actions }}, ',') then {{ actions }} end,
        '(?i)(?:,\\s*+(?:'
        || 'drop\\s++(?!(?:constraint|index|key|primary|foreign|check|partition|period|system)\\b)(?:column\\s++)?(?:if\\s++exists\\s++)?'
        || '(?={{ column }}\\s*+(?:cascade\\b|restrict\\b)?\\s*+(?:[,;]|$))'
        || '|rename\\s++(?:column\\s++)?(?:if\\s++exists\\s++)?(?={{ column }}\\s++to\\s)'
        || '|change\\s++(?:column\\s++)?(?:if\\s++exists\\s++)?(?=({{ column }})\\s++(?!\\1\\s)))'
        || '|\\G(?!^)\\s*+,\\s*+(?={{ column }}\\s*+(?:[,;]|$)))({{ column }})',
        2
    )
{%- endmacro %}
