"""Columns of a row image, cut out of its JSON text without reading their values."""

from __future__ import annotations

import sys
from json.decoder import JSONDecoder, scanstring  # type: ignore[attr-defined]
from json.scanner import make_scanner

# Numbers are scanned as text: their digits are never looked at, and integers of any length pass.
_SCANNER = make_scanner(JSONDecoder(parse_int=str, parse_float=str))  # type: ignore[arg-type]

# Spark's readers take 1,000 levels; Python's limit of 1,000 counts the callers' frames too.
sys.setrecursionlimit(max(sys.getrecursionlimit(), 3000))

_BLANKS = " \t\r\n"


def _skip_blanks(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at


def split_columns(image: str) -> dict[str, str]:
    """Return the columns of a JSON object as {name in quotes: value}, exactly as they are written.

    >>> split_columns('{"id":7,"price":1.50,"note":null}')
    {'"id"': '7', '"price"': '1.50', '"note"': 'null'}

    Raises ValueError where the text is no JSON object.
    """
    columns: dict[str, str] = {}
    try:
        at = _skip_blanks(image, 0)
        if image[at] != "{":
            raise ValueError(f"expected a JSON object, found {image[:40]!r}")
        at = _skip_blanks(image, at + 1)
        while image[at] != "}":
            _, name_end = scanstring(image, at + 1, True)
            name = image[at:name_end]
            at = _skip_blanks(image, name_end)
            value_start = _skip_blanks(image, at + 1)
            _, value_end = _SCANNER(image, value_start)
            columns[name] = image[value_start:value_end]
            at = _skip_blanks(image, value_end)
            if image[at] == ",":
                at = _skip_blanks(image, at + 1)
    except (IndexError, StopIteration) as error:
        raise ValueError(f"expected a JSON object, found {image[:40]!r}") from error
    return columns


def column_name(quoted: str) -> str:
    """Return the name that split_columns gives in quotes.

    >>> column_name('"na\\u00efve"')
    'naïve'
    """
    return scanstring(quoted, 1, True)[0] if "\\" in quoted else quoted[1:-1]


def join_columns(columns: dict[str, str]) -> str:
    """Return the JSON object text of what split_columns gave."""
    return "{" + ",".join(f"{name}:{value}" for name, value in columns.items()) + "}"
