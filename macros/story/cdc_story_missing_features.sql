{#- What a vendor's format cannot carry of the story, as a list of the features that expected
    rows name in `needs`. The vendor's spec decides: `carries`, and its snapshot_placement. A
    spec may be finer than the general word: `key_change_default_identity` (a key change in a
    table without full replica identity) counts as `key_change` where the spec does not name it.
    spec: what cdc_vendor__<vendor>() returns. -#}
{% macro cdc_story_missing_features(spec) -%}
    {%- set carries = spec.carries -%}
    {%- set carried = {
        'snapshot_rows': carries.snapshot_rows,
        'snapshot_time': carries.snapshot_rows and spec.snapshot_placement == 'time',
        'truncate': carries.truncate,
        'partial_images': carries.partial_images,
        'key_change': carries.key_change,
        'key_change_default_identity':
            carries.get('key_change_default_identity', carries.key_change),
    } -%}
    {%- set missing = [] -%}
    {%- for feature, is_carried in carried.items() -%}
        {%- if not is_carried or is_carried in ['none', 'no', 'never'] -%}
            {%- do missing.append(feature) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(missing) }}
{%- endmacro %}

{#- A select: one row per vendor, with what its format cannot carry of the story, and whether
    its messages tell if an image is whole (`image_completeness` in `carries`, true where the
    spec does not name it). -#}
{% macro cdc_story_vendors() -%}
    {%- for spec in cdc_vendors() %}
    select
        '{{ spec.name }}' as vendor,
        cast(array(
            {%- for feature in cdc_story_missing_features(spec) %}
            '{{ feature }}'{{ ',' if not loop.last }}
            {%- endfor %}
        ) as array<string>) as missing_features,
        {{ 'true' if spec.carries.get('image_completeness', true) else 'false' }}
            as tells_completeness
    {{- '\n    union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
