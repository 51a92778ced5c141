{#- Whether models are being built: elsewhere (parsing, docs, unit tests) all of a model's text is wanted. -#}
{% macro cdc_is_in_a_run() -%}
    {{ return(execute and flags.WHICH in ['run', 'build'] and not cdc_changelog.cdc_is_unit_test()) }}
{%- endmacro %}
