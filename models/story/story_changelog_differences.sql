{{ cdc_story_differences(
    mart='cdc_changelog',
    expected='expected_changelog',
    columns=[
        {'name': 'operation', 'expected': 'story.operation', 'found': 'mart.operation'},
        {
            'name': 'row_key_before',
            'expected': 'story.row_key_before',
            'found': 'mart.row_key_before',
        },
        {
            'name': 'after',
            'expected': cdc_story_row_text('story.`after`'),
            'found': cdc_story_row_text('mart.`after`'),
        },
        {'name': 'committed_at', 'expected': 'story.committed_at', 'found': 'mart.committed_at'},
        {'name': 'snapshot_at', 'expected': 'story.snapshot_at', 'found': 'mart.snapshot_at'},
    ],
    only="mart.operation in ('insert', 'update', 'delete', 'snapshot', 'truncate')",
) }}
