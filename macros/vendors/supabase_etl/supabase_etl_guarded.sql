{#- JSON text in which every number that Spark's readers would bend or write with an exponent (they pass non-integers through
    double) is wrapped as the string "\u0001cdc-number:<as written>". supabase_etl_restored takes the wrapping off again. Text
    without a number of 16 or more characters, with an exponent, or with a fraction beside 8 digits before the point or 3
    zeros behind it, comes back as it is, which is nearly all text: one scan, no rewrite.
    The rewrite walks from token to token (\G), so digits inside strings are left alone. -#}
{% macro supabase_etl_guarded(text) -%}
    case
        when {{ text }} rlike '[:,\\[]\\s*-?(?:[0-9](?:[0-9.]{15}|[0-9.]*[eE]|[0-9]{7,}[.])|0[.]000)'
            then regexp_replace(
                {{ text }},
                '\\G((?:[^"0-9\\-]++|"(?:[^"\\\\]++|\\\\.)*+"|(?!-?(?:[0-9]{8,}[.]|0[.]000))-?[0-9][0-9.]{0,14}+(?![0-9.eE+\\-]))*+)(-?[0-9][0-9.eE+\\-]*+)',
                '$1"\\\\u0001cdc-number:$2"'
            )
        else {{ text }}
    end
{%- endmacro %}

{#- Undoes supabase_etl_guarded in JSON text made by Spark's writers: a number of up to 38 digits within the range of double
    stands there as it was written; a longer one stays a string (the caller adds the warning NUMBER_KEPT_AS_TEXT, see
    supabase_etl_has_number_as_text). -#}
{% macro supabase_etl_restored(text) -%}
    case
        when contains({{ text }}, 'cdc-number:')
            then regexp_replace(
                regexp_replace(
                    {{ text }},
                    {{ _supabase_etl_number_that_stands() }},
                    '$1'
                ),
                '\\\\u0001cdc-number:', ''
            )
        else {{ text }}
    end
{%- endmacro %}

{#- A value read out of guarded JSON text, as text: the wrapping of a long number taken off. -#}
{% macro supabase_etl_unguarded(text) -%}
    replace({{ text }}, '\u0001cdc-number:', '')
{%- endmacro %}

{#- True where a guarded text holds a number beyond 38 digits or beyond double. -#}
{% macro supabase_etl_has_number_as_text(text) -%}
    (
        contains({{ text }}, 'cdc-number:')
        and contains(
            regexp_replace(
                {{ text }},
                {{ _supabase_etl_number_that_stands() }}, '$1'
            ),
            'cdc-number:'
        )
    )
{%- endmacro %}

{#- The pattern of a wrapped number that can stand as it was written: at most 38 digits, a 0 before the point not counted, and an
    exponent that keeps so many digits within double. -#}
{% macro _supabase_etl_number_that_stands() -%}
    '"\\\\u0001cdc-number:(?=(?:-?0[.])?(?:[^0-9"eE]*[0-9]){1,38}(?:[^0-9"]*|[eE][+-]?(?:[0-9]{1,2}|1[0-9]{2}|2[0-6][0-9]))")([^"]*)"'
{%- endmacro %}
