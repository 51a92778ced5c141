{#- Stops `dbt seed`, before anything is written, where a line of cdc_tables cannot mean what it says: with the file, the line, what was
    found and what was expected. For the seed's pre-hook. lines: its load_agate_table(); file: its path. -#}
{% macro cdc_refuse_bad_tables(lines, file) -%}
    {%- set columns = [
        'vendor', 'source', 'schema_name', 'table_name', 'key_columns', 'history_ignored_columns', 'replica_identity', 'column_names',
    ] -%}
    {%- set problems = _cdc_problems_of_lines(lines, columns, ['vendor', 'source', 'schema_name', 'table_name']) -%}
    {%- for line in lines.rows if not problems -%}
        {%- set number = loop.index + 1 -%}
        {%- for column in ['key_columns', 'history_ignored_columns', 'column_names'] if line[column] -%}
            {%- set names = cdc_names_in(line[column]) -%}
            {%- if not names or names | unique(case_sensitive=true) | list | length < names | length -%}
                {%- do problems.append('line ' ~ number ~ ': ' ~ column ~ " is '" ~ line[column]
                    ~ "'; expected different column names: id, or order_id, line_no, or [\"id\"]") -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if not (line.table_name or '') | trim -%}
            {%- do problems.append('line ' ~ number ~ ': table_name is empty; expected the name of a table') -%}
        {%- endif -%}
        {%- if (line.replica_identity or 'full') | trim | lower not in ['full', 'default'] -%}
            {%- do problems.append('line ' ~ number ~ ": replica_identity is '" ~ line.replica_identity
                ~ "'; expected full, default or nothing") -%}
        {%- endif -%}
    {%- endfor -%}
    {{ _cdc_refuse_lines(problems, file) }}
{%- endmacro %}

{#- The same of cdc_epochs. -#}
{% macro cdc_refuse_bad_epochs(lines, file) -%}
    {%- set columns = [
        'vendor', 'source', 'schema_name', 'table_name', 'epoch', 'starts_at', 'first_landing_batch', 'resets_table',
    ] -%}
    {%- set problems = _cdc_problems_of_lines(lines, columns, ['vendor', 'source', 'schema_name', 'table_name', 'epoch']) -%}
    {%- for line in lines.rows if not problems -%}
        {%- set number = loop.index + 1 -%}
        {%- for column in ['epoch', 'first_landing_batch'] if line[column] and not line[column].strip().isdigit() -%}
            {%- do problems.append('line ' ~ number ~ ': ' ~ column ~ " is '" ~ line[column] ~ "'; expected a whole number") -%}
        {%- endfor -%}
        {%- if not line.epoch or not (line.starts_at or line.first_landing_batch) -%}
            {%- do problems.append('line ' ~ number ~ ': expected an epoch, and starts_at or first_landing_batch') -%}
        {%- endif -%}
        {%- if line.starts_at and not modules.re.match('[0-9]{4}-[0-9]{2}-[0-9]{2}', line.starts_at.strip()) -%}
            {%- do problems.append('line ' ~ number ~ ": starts_at is '" ~ line.starts_at
                ~ "'; expected a time like 2026-03-01 12:00:00 (UTC)") -%}
        {%- endif -%}
        {%- if (line.resets_table or 'false') | trim | lower not in ['true', 'false'] -%}
            {%- do problems.append('line ' ~ number ~ ": resets_table is '" ~ line.resets_table ~ "'; expected true or false") -%}
        {%- endif -%}
    {%- endfor -%}
    {{ _cdc_refuse_lines(problems, file) }}
{%- endmacro %}

{#- The column names that a text lists, a JSON array or names joined by commas; none where it is no such list. -#}
{% macro cdc_names_in(text) -%}
    {%- set names = fromjson(text, none) if text.strip().startswith('[') else text.split(',') | map('trim') | list -%}
    {%- if names is not sequence or names is string or names | reject('string') | list or '' in names
        or (not text.strip().startswith('[') and modules.re.search('["\\[\\]{}]', text)) -%}
        {{ return(none) }}
    {%- endif -%}
    {{ return(names) }}
{%- endmacro %}

{#- What is wrong with the columns, vendors and repetitions of lines, a list of texts. identity: names of the columns that no two lines
    share. -#}
{% macro _cdc_problems_of_lines(lines, columns, identity) -%}
    {%- set problems = [] -%}
    {%- set vendors = cdc_vendors() | map(attribute='name') | list -%}
    {%- if lines.column_names | sort != columns | sort -%}
        {%- do problems.append('line 1: the columns are ' ~ lines.column_names | join(', ') ~ '; expected ' ~ columns | join(', ')) -%}
    {%- endif -%}
    {%- set seen = {} -%}
    {%- for line in lines.rows if not problems -%}
        {%- set number = loop.index + 1 -%}
        {%- if line.vendor not in vendors -%}
            {%- do problems.append('line ' ~ number ~ ": vendor is '" ~ line.vendor ~ "'; expected one of " ~ vendors | join(', ')) -%}
        {%- endif -%}
        {%- if not (line.source or '') | trim -%}
            {%- do problems.append('line ' ~ number ~ ': source is empty; expected the name of a feed, or *') -%}
        {%- endif -%}
        {%- set place = [] -%}
        {%- for column in identity -%} {%- do place.append((line[column] or '*') | trim) -%} {%- endfor -%}
        {%- set first = seen.setdefault(place | join('\n'), number) -%}
        {%- if first != number -%}
            {%- do problems.append('line ' ~ number ~ ' is about ' ~ place | join(', ') ~ ', and so is line ' ~ first
                ~ '; expected one line for each') -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(problems) }}
{%- endmacro %}

{#- Raises an error that names all problems. -#}
{% macro _cdc_refuse_lines(problems, file) -%}
    {%- if problems -%}
        {{ exceptions.raise_compiler_error(file ~ ' is refused, and nothing was written:\n  ' ~ problems[:20] | join('\n  ')) }}
    {%- endif -%}
{%- endmacro %}
