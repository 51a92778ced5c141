{#- Pre-hook of the configuration seeds: stops `dbt seed` where a line cannot mean what it says, before anything is written. -#}
{% macro cdc_check_seed_lines(lines, seed) -%}
    {%- set vendors = cdc_vendors() | map(attribute='name') | list -%}
    {%- set kind = seed.name | replace('fixture_', '') -%}
    {%- set problems, first_lines = [], {} -%}
    {%- if lines.column_names | sort != seed.config.column_types | sort -%}
        {%- do problems.append('line 1: the columns are ' ~ lines.column_names | join(', ') ~ '; expected '
            ~ seed.config.column_types | join(', ')) -%}
    {%- endif -%}
    {%- for line in (lines.rows if not problems else []) -%}
        {%- set number = loop.index + 1 -%}
        {%- for column in lines.column_names -%}
            {%- set value = (line[column] | string).strip() if line[column] is not none else '' -%}
            {%- set expected = _cdc_expected(kind, column, value, vendors) -%}
            {%- if expected -%}
                {%- do problems.append('line ' ~ number ~ ': ' ~ column ~ " is '" ~ value ~ "'; expected " ~ expected) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if kind == 'cdc_epochs' and not (line.starts_at or line.first_landing_batch) -%}
            {%- do problems.append('line ' ~ number ~ ': it never begins; expected starts_at, first_landing_batch or both') -%}
        {%- endif -%}
        {%- if kind == 'cdc_excluded_events' -%}
            {%- set places = [line.topic, line.partition, line.offset] | reject('in', [none, '']) | list -%}
            {%- if line.change_id and (places or line.event_index not in [none, '']) -%}
                {%- do problems.append('line ' ~ number ~ ': it names a change and a place; expected one of them') -%}
            {%- elif not line.change_id and places | length < 3 -%}
                {%- do problems.append('line ' ~ number ~ ': it names no event; expected change_id, or topic, partition and offset') -%}
            {%- endif -%}
        {%- endif -%}
        {%- set key_columns = ['vendor', 'source', 'schema_name', 'table_name', 'epoch'] if kind != 'cdc_excluded_events'
            else ['change_id', 'vendor', 'source', 'topic', 'partition', 'offset', 'event_index'] -%}
        {%- set line_key = [] -%}
        {%- for column in key_columns if column in lines.column_names -%}
            {%- set value = line[column] | string | trim if line[column] not in [none, ''] else '' -%}
            {%- do line_key.append(value or '*') if value or column in ['schema_name', 'table_name'] -%}
        {%- endfor -%}
        {%- set line_key = line_key | join(', ') -%}
        {%- if first_lines.setdefault(line_key, number) != number -%}
            {%- do problems.append('line ' ~ number ~ ': ' ~ line_key ~ ' is line ' ~ first_lines[line_key] ~ ' already; expected one line for each') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if problems and execute -%}
        {{ exceptions.raise_compiler_error(
            seed.original_file_path ~ ' has lines that cannot be right. Nothing was written:\n  ' ~ problems[:20] | join('\n  ')) }}
    {%- endif -%}
{%- endmacro %}

{#- What was expected where a value cannot be one of its column; empty where it can. -#}
{% macro _cdc_expected(kind, column, value, vendors) -%}
    {%- if column == 'vendor' and value not in vendors and (value or kind != 'cdc_excluded_events') -%} one of {{ vendors | join(', ') }}
    {%- elif column == 'source' and not value and kind != 'cdc_excluded_events' -%} the name of a feed, or *
    {%- elif column == 'table_name' and value in ['', '*'] and kind == 'cdc_tables' -%} the name of a table
    {%- elif column == 'change_id' and value and not modules.re.fullmatch('[0-9a-fA-F]{32}', value) -%}
        the change_id of a change, 32 hexadecimal digits
    {%- elif column in ['partition', 'event_index'] and value and not modules.re.fullmatch('[0-9]{1,9}', value) -%}
        a whole number of at most 9 digits
    {%- elif column == 'offset' and value and not modules.re.fullmatch('[0-9]{1,18}', value) -%}
        a whole number of at most 18 digits
    {%- elif column == 'reason' and not value -%} why the event is excluded
    {%- elif column == 'decided_by' and not value -%} who decided it
    {%- elif column == 'replica_identity' and value | lower not in ['', 'full', 'default'] -%} full, default or nothing
    {%- elif column == 'epoch' and not modules.re.fullmatch('[0-9]{1,9}', value) -%} a whole number of at most 9 digits
    {%- elif column == 'first_landing_batch' and value and not modules.re.fullmatch('[0-9]{1,18}', value) -%}
        a whole number of at most 18 digits
    {%- elif column == 'starts_at' and value and not _cdc_is_a_time(value) -%} a time like 2026-03-01 12:00:00 (UTC)
    {%- elif column == 'resets_table' and value | lower not in ['', 'true', 'false'] -%} true or false
    {%- elif column in ['key_columns', 'history_ignored_columns', 'column_names'] and value -%}
        {%- set names = fromjson(value, []) if value.startswith('[') else value.split(',') | map('trim') | list -%}
        {%- if not names or '' in names or names | reject('string') | list or names | unique(true) | list != names
            or (not value.startswith('[') and modules.re.search('["\\[\\]{};]', value)) -%}
            different column names: id, or order_id, line_no, or ["id"]
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}

{#- Whether a text is a day that there is, perhaps with a time and a zone, and nothing else. -#}
{% macro _cdc_is_a_time(text) -%}
    {%- set parts = modules.re.fullmatch(
        '([0-9]{4})-([0-9]{2})-([0-9]{2})([ T]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?(Z|[+-][01][0-9]:[0-5][0-9])?)?',
        text
    ) -%}
    {%- if not parts -%} {{ return(false) }} {%- endif -%}
    {%- set year, month, day = parts.group(1) | int, parts.group(2) | int, parts.group(3) | int -%}
    {%- if year == 0 or month not in range(1, 13) or day == 0 -%} {{ return(false) }} {%- endif -%}
    {%- set is_leap_year = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) -%}
    {%- set days = [31, 29 if is_leap_year else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] -%}
    {{ return(day <= days[month - 1]) }}
{%- endmacro %}
