{#- Pre-hook of the configuration seeds: stops `dbt seed` where a line cannot mean what it says, before anything is written. -#}
{% macro cdc_check_seed_lines(lines, seed) -%}
    {%- set vendors = cdc_changelog.cdc_vendors() | map(attribute='name') | list -%}
    {%- set kind = namespace(name=seed.name | replace('fixture_', '')) -%}
    {%- for part, name in var('cdc_configuration', {}).items() if name == seed.name -%} {%- set kind.name = part -%} {%- endfor -%}
    {%- set kind = kind.name -%}
    {%- set problems, first_lines = [], {} -%}
    {%- if lines.column_names | sort != seed.config.column_types | sort -%}
        {%- do problems.append('line 1: the columns are ' ~ lines.column_names | join(', ') ~ '; expected '
            ~ seed.config.column_types | join(', ')) -%}
    {%- endif -%}
    {%- for line in (lines.rows if not problems else []) -%}
        {%- set number = loop.index + 1 -%}
        {%- for column in lines.column_names -%}
            {%- set value = (line[column] | string).strip() if line[column] is not none else '' -%}
            {%- set expected = cdc_changelog._cdc_expected(kind, column, value, vendors) -%}
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
    {#- What each column may hold: `pattern` of a value, whether one is `needed`, and what to say where it is neither. -#}
    {%- set whole_number = {'pattern': '[0-9]{1,9}', 'expected': 'a whole number of at most 9 digits'} -%}
    {%- set long_number = {'pattern': '[0-9]{1,18}', 'expected': 'a whole number of at most 18 digits'} -%}
    {%- set names_an_event = kind == 'cdc_excluded_events' -%}
    {%- set rules = {
        'vendor': {'pattern': vendors | join('|'), 'needed': not names_an_event, 'expected': 'one of ' ~ vendors | join(', ')},
        'source': {'needed': not names_an_event, 'expected': 'the name of a feed, or *'},
        'table_name': {
            'pattern': '[*].+|[^*].*' if kind == 'cdc_tables' else '.*', 'needed': kind == 'cdc_tables', 'expected': 'the name of a table',
        },
        'replica_identity': {'pattern': '(?i)full|default', 'expected': 'full, default or nothing'},
        'epoch': dict(whole_number, needed=true),
        'first_landing_batch': long_number,
        'resets_table': {'pattern': '(?i)true|false', 'expected': 'true or false'},
        'change_id': {'pattern': '[0-9a-fA-F]{32}', 'expected': 'the change_id of a change, 32 hexadecimal digits'},
        'partition': whole_number,
        'offset': long_number,
        'event_index': whole_number,
        'reason': {'needed': true, 'expected': 'why the event is excluded'},
        'decided_by': {'needed': true, 'expected': 'who decided it'},
    } -%}
    {%- set rule = rules.get(column, {}) -%}
    {%- if not value -%} {{ rule.expected if rule.get('needed') }}
    {%- elif rule and not modules.re.fullmatch(rule.get('pattern', '(?s).*'), value) -%} {{ rule.expected }}
    {%- elif column == 'starts_at' and not cdc_changelog._cdc_is_a_time(value) -%} a time like 2026-03-01 12:00:00 (UTC)
    {%- elif column in ['key_columns', 'history_ignored_columns', 'column_names'] and not cdc_changelog._cdc_is_a_list_of_names(value) -%}
        different column names: id, or order_id, line_no, or ["id"]
    {%- endif -%}
{%- endmacro %}

{#- Whether a text of a seed is a list of different names: a JSON array, or names between commas. -#}
{% macro _cdc_is_a_list_of_names(text) -%}
    {%- set is_json = text.startswith('[') -%}
    {%- set names = fromjson(text, []) if is_json else text.split(',') | map('trim') | list -%}
    {{ return(
        names | length > 0
        and '' not in names
        and not names | reject('string') | list
        and names | unique(true) | list == names
        and (is_json or not modules.re.search('["\\[\\]{};]', text))
    ) }}
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
