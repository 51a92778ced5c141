{{ cdc_story_differences(
    mart='cdc_row_versions',
    expected='expected_row_versions',
    columns=[
        {
            'name': 'version_number',
            'expected': 'story.version_number',
            'found': 'mart.version_number',
        },
        {
            'name': 'row',
            'expected': cdc_story_row_text('story.`row`'),
            'found': cdc_story_row_text('mart.`row`'),
        },
        {'name': 'valid_from', 'expected': 'story.valid_from', 'found': 'mart.valid_from'},
        {'name': 'valid_to', 'expected': 'story.valid_to', 'found': 'mart.valid_to'},
        {'name': 'is_current', 'expected': 'story.is_current', 'found': 'mart.is_current'},
        {'name': 'opened_by', 'expected': 'story.opened_by', 'found': 'mart.opened_by'},
        {'name': 'closed_by', 'expected': 'story.closed_by', 'found': 'mart.closed_by'},
        {
            'name': 'moved_from_row_key',
            'expected': 'story.moved_from_row_key',
            'found': 'mart.moved_from_row_key',
        },
        {
            'name': 'moved_to_row_key',
            'expected': 'story.moved_to_row_key',
            'found': 'mart.moved_to_row_key',
        },
        {'name': 'change_count', 'expected': 'story.change_count', 'found': 'mart.change_count'},
    ],
) }}
