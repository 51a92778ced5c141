{{ cdc_story_differences(
    mart='cdc_current_rows',
    expected='expected_current_rows',
    columns=[
        {
            'name': 'row',
            'expected': cdc_story_row_text('story.`row`'),
            'found': cdc_story_row_text('mart.`row`'),
        },
        {'name': 'is_deleted', 'expected': 'story.is_deleted', 'found': 'mart.is_deleted'},
        {
            'name': 'is_partial',
            'expected': 'case when vendors.tells_completeness then story.is_partial end',
            'found': 'case when vendors.tells_completeness then mart.is_partial end',
        },
        {'name': 'operation', 'expected': 'story.operation', 'found': 'mart.operation'},
        {'name': 'committed_at', 'expected': 'story.committed_at', 'found': 'mart.committed_at'},
        {'name': 'first_seen_at', 'expected': 'story.first_seen_at', 'found': 'mart.first_seen_at'},
        {'name': 'deleted_at', 'expected': 'story.deleted_at', 'found': 'mart.deleted_at'},
        {'name': 'version_count', 'expected': 'story.version_count', 'found': 'mart.version_count'},
    ],
) }}
