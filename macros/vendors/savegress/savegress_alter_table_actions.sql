{#- A statement without what stands in parentheses; of an `alter table` only what it does to its table, each action behind a comma. -#}
{% macro savegress_alter_table_actions(statement) -%}
    regexp_replace(
        regexp_replace({{ statement }}, '[(](?:[^()]|[(][^()]*+[)])*+[)]', ''),
        '(?i)^\\s*+alter\\s++table\\s++(?:if\\s++exists\\s++)?(?:only\\s++)?'
        || '(?:{{ savegress_identifier() }}\\s*+[.]\\s*+){0,3}{{ savegress_identifier() }}(?:\\s*+[*])?',
        ','
    )
{%- endmacro %}
