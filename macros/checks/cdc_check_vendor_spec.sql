{#- Stops dbt, while it parses, where the spec of a vendor lacks a key, has one that is not known, or a value that is none of those
    that the key may have. -#}
{% macro cdc_check_vendor_spec(spec, macro_name) -%}
    {%- set expected = [
        'name', 'label', 'docs', 'distinctive_fields', 'changes_model', 'columns_model', 'schemas_model', 'segments_model',
        'events_in_message', 'identity_holds_content', 'snapshot_order', 'versions', 'transactions', 'settings', 'capabilities',
    ] -%}
    {%- set values = {
        'name': [macro_name | replace('cdc_vendor__', '')],
        'identity_holds_content': [true, false],
        'snapshot_order': ['time', 'epoch_start'],
        'transactions': ['counted', 'commit', 'next'],
    } -%}
    {%- set problems = [] -%}
    {%- for key in expected if key not in spec -%} {%- do problems.append('it has no key ' ~ key) -%} {%- endfor -%}
    {%- for key in spec if key not in expected -%} {%- do problems.append('its key ' ~ key ~ ' is not known') -%} {%- endfor -%}
    {%- for key, allowed in values.items() if key in spec and spec[key] not in allowed -%}
        {%- do problems.append(key ~ ' is ' ~ spec[key] ~ '; expected ' ~ allowed | join(' or ')) -%}
    {%- endfor -%}
    {%- if problems -%}
        {{ exceptions.raise_compiler_error(
            'The vendor spec ' ~ macro_name ~ ' cannot be used: ' ~ problems | join('; ')
            ~ '. What each key holds: docs/adding_a_vendor.md.'
        ) }}
    {%- endif -%}
{%- endmacro %}
