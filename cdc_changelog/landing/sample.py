"""A look at files before they land: are they text, and are the first bodies JSON of this vendor?

What a body means is for the models to say. This only notices the mistakes that would land a whole
file in vain: a file that is not UTF-8, a pretty-printed document cut into lines, the wrong vendor.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from typing import Any

from cdc_changelog.landing.bodies import BodyFile, LandingError, read_bodies

SAMPLE = 200
FORCE = "--force lands it as it is."


def check_file(file: BodyFile, vendor: str, specs: list[dict[str, Any]]) -> None:
    """Reject a file whose sample does not look like JSON of the given vendor.

    Raises LandingError with what was found, what was expected and what to do.
    """
    documents: list[Any] = []
    count_bad = count_not_utf_8 = 0
    first_bad: tuple[int, str] | None = None
    for message in islice(read_bodies(file), SAMPLE):
        body = message.value or b""
        try:
            text = body.decode() if isinstance(body, bytes) else body
        except UnicodeDecodeError:
            count_not_utf_8 += 1
            continue
        try:
            documents.append(json.loads(text.strip("\ufeff \t")))
        except ValueError:
            first_bad = first_bad or (message.offset or 0, text[:40])
            count_bad += 1
    lines = len(documents) + count_bad + count_not_utf_8
    # Single bodies that are not UTF-8 land, and are rejected one by one.
    if count_not_utf_8 * 2 > lines:
        raise LandingError(f"{file.path}: {file.not_utf_8}. Convert the file to UTF-8. {FORCE}")
    if first_bad and count_bad * 2 > lines:
        raise LandingError(
            f"{file.path}: {count_bad} of the first {lines} lines are no JSON; line {first_bad[0]}"
            f" begins {first_bad[1]!r}. Expected one message body a line: `jq -c .` puts a"
            f" pretty-printed document onto one. {FORCE}"
        )
    found = Counter(
        name for name in (_vendor_of(document, specs) for document in documents) if name
    )
    name, count = max(found.items(), key=lambda item: item[1], default=("", 0))
    if count * 2 > len(documents) and not found[vendor]:
        raise LandingError(
            f"{file.path}: {count} of the first {len(documents)} bodies look like {name}, none like"
            f" {vendor}. Land them with VENDOR={name} (--vendor {name}). {FORCE}"
        )


def _vendor_of(document: Any, specs: list[dict[str, Any]]) -> str | None:
    """The one vendor whose distinctive fields a body has; None where none or several have them."""
    event = document[0] if isinstance(document, list) and document else document
    if not isinstance(event, dict):
        return None
    names = [
        str(spec["name"])
        for spec in specs
        if any(set(fields) <= set(event) for fields in spec["distinctive_fields"])
    ]
    return names[0] if len(names) == 1 else None
