{#- The pattern of a statement that empties a table, comments before it allowed; ready to stand in a
    SQL text. `alter table … truncate partition` does not empty one. -#}
{% macro savegress_truncate_command() -%}
(?is)^(?:\\s++|--[^\\n]*+\\n|/[*].*?[*]/)*+truncate\\b
{%- endmacro %}
