{#- The signature of a webhook delivery. Of two headers of that name it is not known which one counts: the text is no signature then. -#}
{% macro savegress_signature(headers) -%}
    if(
        size(filter(map_keys({{ headers }}), name -> lower(trim(name)) = 'x-savegress-signature')) > 1,
        'more than one header',
        {{ savegress_header(headers, 'x-savegress-signature') }}
    )
{%- endmacro %}
