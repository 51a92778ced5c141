{#- The pattern of a statement that empties a table, comments before it allowed. `alter table … truncate partition` does not
    empty one. Ready to stand in a SQL text. -#}
{% macro savegress_truncate_command() -%}
(?is)^(?:\\s|--[^\\n]*\\n|/[*].*?[*]/)*truncate\\b
{%- endmacro %}
