"""Stand-ins for what dbt gives to templates: sqlfluff renders models without dbt and a server.

sqlfluff puts everything public here into its Jinja context (`library_path` in .sqlfluff). Nothing
is executed: `execute` is false, and no relation exists. `macro_blocks` are not needed: sqlfluff
loads the macros of `macros/` itself; what they `return` is caught here.
"""

from __future__ import annotations

import datetime
from typing import Any

from jinja2.runtime import Macro

from tools.support_matrix import specs


class _Returned(Exception):
    """Carries what a macro returned."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _return(value: Any = None) -> None:
    raise _Returned(value)


_call_macro = Macro._invoke


def _call_and_catch(self: Macro, arguments: Any, autoescape: bool) -> Any:
    try:
        return _call_macro(self, arguments, autoescape)
    except _Returned as returned:
        return returned.value


# dbt's macros may return values; Jinja's give text only.
Macro._invoke = _call_and_catch  # type: ignore[method-assign]


class _Anything:
    """Answers every attribute and call, as text with a name that SQL takes for a relation."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self

    def __str__(self) -> str:
        return "some_relation"

    def __iter__(self) -> Any:
        return iter(())

    def __bool__(self) -> bool:
        return False


def _spec_macro(spec: dict[str, Any]) -> Any:
    return lambda: spec


def _env_var(name: str, default: str = "") -> str:
    return default


globals()["return"] = _return
execute = False
context = {"cdc_changelog": {f"cdc_vendor__{spec['name']}": _spec_macro(spec) for spec in specs()}}
env_var = _env_var
adapter = _Anything()
exceptions = _Anything()
flags = _Anything()
model = _Anything()
builtins = _Anything()
run_query = _Anything()
load_relation = _Anything()
should_full_refresh = _Anything()
run_started_at = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
