"""Properties that hold for any input, searched by hypothesis; no server needed."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from python_udfs.qlik.masks import mask_ordinals
from python_udfs.rows.connect_rows import connect
from python_udfs.rows.fold_rows import EVENT_FIELDS, Event, fold_group
from python_udfs.rows.json_columns import join_columns, split_columns
from tests.python.helpers.histories import change_of, delivered, json_text, random_history
from tests.python.scenario.oracle import comparable, expected_marts

# How long an example takes depends on the machine, so none is timed.
searched = settings(max_examples=200, deadline=None)

names = st.text(min_size=1, max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**37), 10**37) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
images = st.dictionaries(names, json_values, max_size=6)


def _change(message: dict[str, Any]) -> dict[str, Any]:
    """A message of the made-up vendor as the row of the changelog that it becomes."""
    sent = {"vendor": "acme", "source": "one", "database_name": None, "schema_name": "public"}
    return sent | {"change_id": message["id"]} | change_of(message)


def _marts(changes: list[dict[str, Any]]) -> list[str]:
    current_rows, versions = expected_marts(changes)
    return sorted(str(vars(row)) for row in [*current_rows, *versions])


@searched
@given(seed=st.integers(0, 2**32), order=st.randoms(use_true_random=False))
def test_what_the_oracle_expects_does_not_depend_on_the_order_of_its_input(
    seed: int, order: random.Random
) -> None:
    changes = [_change(message) for message in random_history(seed)]
    expected = _marts(changes)
    order.shuffle(changes)
    assert _marts(changes) == expected


@searched
@given(seed=st.integers(0, 2**32), batches=st.integers(1, 5))
def test_a_delivery_loses_no_message_of_a_history_and_adds_none(seed: int, batches: int) -> None:
    history = random_history(seed)
    arrived = [
        message
        for batch in delivered(seed, history, batches)
        for delivery in batch
        for message in delivery.messages
    ]
    assert {message["id"] for message in arrived} == {message["id"] for message in history}
    assert len({message["id"] for message in history}) == len(history)
    assert len(arrived) == len(history) + len(history) // 4


@searched
@given(image=images)
def test_an_image_that_is_cut_into_columns_and_joined_again_is_the_same_text(
    image: dict[str, Any],
) -> None:
    assert join_columns(split_columns(json_text(image))) == json_text(image)


@searched
@given(sent=st.lists(st.tuples(images, st.booleans()), min_size=1, max_size=6))
def test_images_of_a_row_fold_like_dictionaries(sent: list[tuple[dict[str, Any], bool]]) -> None:
    events = []
    for number, (image, is_full) in enumerate(sent):
        values: dict[str, Any] = dict.fromkeys(EVENT_FIELDS)
        values |= {"row_id": "r", "operation": "update", "image": json_text(image)}
        values |= {"image_kind": "full" if is_full else "partial"}
        values |= {"change_id": str(number)}
        events.append(Event(**values))
    row: dict[str, Any] = {}
    has_full_image = False
    for (image, is_full), result in zip(sent, fold_group(events), strict=True):
        row = dict(image) if is_full else row | image
        has_full_image = has_full_image or is_full
        assert comparable(json.loads(result.row or "null")) == comparable(row)
        assert result.is_partial is not has_full_image


@searched
@given(ordinals=st.sets(st.integers(1, 400), min_size=1), padding=st.integers(0, 3))
def test_a_mask_gives_back_the_ordinals_it_was_made_of(ordinals: set[int], padding: int) -> None:
    number = sum(1 << ordinal - 1 for ordinal in ordinals)
    octets = number.to_bytes((number.bit_length() + 7) // 8 + padding, "big")
    assert mask_ordinals(octets.hex()) == sorted(ordinals)
    assert mask_ordinals(octets[::-1].hex().upper(), "little") == sorted(ordinals)


@searched
@given(
    moves=st.lists(st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh")), max_size=9),
    order=st.randoms(use_true_random=False),
)
def test_rows_are_connected_alike_in_whatever_order_their_moves_come(
    moves: list[tuple[str, str]], order: random.Random
) -> None:
    groups = connect(moves)
    assert all(groups[before] == groups[after] for before, after in moves)
    assert all(
        group == min(row for row in groups if groups[row] == group)
        for group in set(groups.values())
    )
    shuffled = list(moves)
    order.shuffle(shuffled)
    assert connect(shuffled) == groups
