{#- Stops a run whose lock would be a setting of a session that no other client sees. -#}
{% macro cdc_check_shared_session() -%}
    {%- set found = run_query('set spark.sql.hive.thriftServer.singleSession').rows[0].values() | last | string -%}
    {%- if found != 'true' -%}
        {{ exceptions.raise_compiler_error(
            'This server gives each client a session of its own (spark.sql.hive.thriftServer.singleSession is ' ~ found
            ~ '), so that no other run would see the lock of this one. Set cdc_lock_in: table among the vars of dbt_project.yml.') }}
    {%- endif -%}
{%- endmacro %}
