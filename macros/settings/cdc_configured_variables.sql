{#- The variables of this run that decide what events become, or what marts show: a list of dictionaries. -#}
{% macro cdc_configured_variables() -%}
    {%- set configured = [{'line': {'setting': 'cdc_load'}, 'affects_marts_only': false}] -%}
    {%- for source in var('cdc_sources_without_transactions', []) -%}
        {%- do configured.append({
            'line': {'setting': 'cdc_sources_without_transactions', 'source': source}, 'affects_marts_only': false}) -%}
    {%- endfor -%}
    {%- if cdc_shows_whole_transactions() -%}
        {%- do configured.append({
            'line': {'setting': 'cdc_visibility', 'value': 'transaction'}, 'affects_marts_only': true}) -%}
        {%- for source in var('cdc_visibility_lifted_for', []) -%}
            {%- do configured.append({
                'line': {'setting': 'cdc_visibility_lifted_for', 'source': source}, 'affects_marts_only': true}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- for spec in cdc_vendors() -%}
        {%- for setting in spec.settings if var(setting, none) is not none -%}
            {#- A list of feeds is recorded feed by feed, so that one more of them decides nothing for the others. -#}
            {%- for source in (var(setting) if setting.endswith('_sources') else []) -%}
                {%- do configured.append({
                    'line': {'setting': setting, 'vendor': spec.name, 'source': source}, 'affects_marts_only': false}) -%}
            {%- else -%}
                {%- do configured.append({
                    'line': {'setting': setting, 'vendor': spec.name, 'value': var(setting) | tojson},
                    'affects_marts_only': false}) if not setting.endswith('_sources') -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(configured) }}
{%- endmacro %}
