{#- The top-level values of compact JSON array text, or the entries ("name":value) of compact JSON object text, each as the
    very text it is in there: a string keeps its quotes, a number its spelling, a nested value its order and even its repeated
    keys. One regular expression walks from value to value; every loop in it is possessive, so it neither backtracks nor
    recurses but by nesting, of which it sees 8 levels.
    text: SQL expression, text that was checked to be JSON and written by Spark's writer (no blanks between tokens). -#}
{% macro supabase_etl_tokens(text) -%}
    {%- set string = '"(?:[^"\\\\\\\\]++|\\\\\\\\.)*+"' -%}
    {%- set nested = namespace(pattern='[\\\\[{](?:[^"\\\\[\\\\]{}]++|' ~ string ~ ')*+[\\\\]}]') -%}
    {%- for _ in range(7) -%}
        {%- set nested.pattern = '[\\\\[{](?:[^"\\\\[\\\\]{}]++|' ~ string ~ '|' ~ nested.pattern ~ ')*+[\\\\]}]' -%}
    {%- endfor -%}
    regexp_extract_all(
        substring({{ text }}, 2, length({{ text }}) - 2),
        '(?:{{ string }}:)?+(?:{{ string }}|[^",:\\[\\]{}]++|{{ nested.pattern }})',
        0
    )
{%- endmacro %}
