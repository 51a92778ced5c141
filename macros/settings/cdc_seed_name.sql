{#- The name of the seed, or model, that holds a part of the configuration: as the var cdc_configuration says, else that of this package. -#}
{% macro cdc_seed_name(name) -%}
    {%- set configured = var('cdc_configuration', {}) -%}
    {%- set names = ['cdc_tables', 'cdc_epochs', 'cdc_excluded_events'] -%}
    {%- for unknown in configured if unknown not in names -%}
        {{ exceptions.raise_compiler_error(
            'var cdc_configuration names ' ~ unknown ~ '; expected seeds or models in place of ' ~ names | join(', ') ~ '.') }}
    {%- endfor -%}
    {{ return(configured.get(name, name)) }}
{%- endmacro %}
