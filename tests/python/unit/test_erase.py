"""How an event is taken out of a raw message, and the others keep their text and place."""

from __future__ import annotations

import pytest

from cdc_changelog.commands.erase import spans_of_events, without_events


def test_a_message_with_one_event_is_empty_afterwards() -> None:
    assert without_events('{"record":{"id":1}}', 1, [0]) is None
    assert without_events('{"data":[{"id":1}]}', 1, [0]) is None


def test_of_a_list_only_the_event_is_replaced_and_all_else_stays_as_it_was_sent() -> None:
    body = ' {"sent" : 1.50, "data": [ {"id":1,"a":[1,2]} , {"id": 2.0}, "x" ] , "tail":[1]}'
    assert (
        without_events(body, 3, [0])
        == ' {"sent" : 1.50, "data": [ {} , {"id": 2.0}, "x" ] , "tail":[1]}'
    )
    assert without_events("[1, 2 ,3]", 3, [2, 1]) == "[1, {} ,{}]"


def test_brackets_and_quotes_in_texts_are_no_structure() -> None:
    body = r'{"a]":"[\"}","events":[{"t":"],[\""},{"t":"\\"}]}'
    assert without_events(body, 2, [1]) == r'{"a]":"[\"}","events":[{"t":"],[\""},{}]}'


@pytest.mark.parametrize("body", ['{"a":[1,2],"b":[3,4]}', '{"a":[1]}', "7", '{"a":{"b":[1,2]}}'])
def test_a_message_in_which_the_events_cannot_be_found_is_an_error(body: str) -> None:
    with pytest.raises(ValueError, match="lists of this message have 2 elements"):
        spans_of_events(body, 2)
