"""Stand-ins for what dbt gives to templates: sqlfluff renders models without dbt and a server.

sqlfluff puts everything public here into its Jinja context (`library_path` in .sqlfluff), beside
the few functions of dbt that it has itself, and runs this file anew for every model. Nothing is
executed: `execute` is false, no relation exists, and every var has its default.

What a macro writes is no part of a model's layout, and most of the time would go into parsing it.
So a long expression is stood in for by the name of its macro; whole selects stay.
"""

from __future__ import annotations

import datetime
import gc
import re
from typing import Any

import jinja2
from jinja2.runtime import Macro
from jinja2.sandbox import SandboxedEnvironment
from sqlfluff.core.templaters.builtins.dbt import MacroReturn

from cdc_changelog.project import specs


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

    def __len__(self) -> int:
        return 0


def _compile_once(compile_source: Any) -> Any:
    """Give Jinja's `compile` a memory: sqlfluff compiles all macros anew for every model."""
    compiled: dict[str, Any] = {}

    def compile_or_remember(
        environment: jinja2.Environment, source: Any, *arguments: Any, **named: Any
    ) -> Any:
        if not isinstance(source, str) or arguments or named:
            return compile_source(environment, source, *arguments, **named)
        if source not in compiled:
            compiled[source] = compile_source(environment, source)
        return compiled[source]

    return compile_or_remember


def _return_or_name(call_macro: Any) -> Any:
    """Let macros of the same file return values to each other, and name long expressions."""
    longest = 100
    no_expression = re.compile(r"\b(select|from|join|lateral)\s|,\s*$|\sas\s+\w+\s*,")

    def call_and_catch(macro: Macro, arguments: Any, autoescape: bool) -> Any:
        try:
            text = call_macro(macro, arguments, autoescape)
        except MacroReturn as returned:
            return returned.value
        # sqlfluff does not know the argument of a table function, `table(…) partition by …`.
        is_table_function = text.lstrip().startswith(f"{macro.name}(")
        is_long = len(text) > longest and not no_expression.search(text)
        return macro.name if is_long or is_table_function else text

    return call_and_catch


# Once per process, although this file runs for every model.
if "compile" not in vars(SandboxedEnvironment):
    SandboxedEnvironment.compile = _compile_once(SandboxedEnvironment.compile)  # type: ignore[method-assign]
    Macro._invoke = _return_or_name(Macro._invoke)  # type: ignore[method-assign]
    # Looking for garbage among syntax trees, which live long, takes a quarter of the time.
    gc.set_threshold(1_000_000)


class _Package:
    """Gives macros that are called by the name of the package: `cdc_changelog.cdc_literal(…)`."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)

        @jinja2.pass_context
        def call(context: jinja2.runtime.Context, *arguments: Any, **named: Any) -> Any:
            return context.resolve(name)(*arguments, **named)

        return call


def _spec_macro(spec: dict[str, Any]) -> Any:
    return lambda: spec


def _default(name: str, default: Any = "") -> Any:
    return default


def _unchanged(value: Any) -> Any:
    return value


SQLFLUFF_JINJA_FILTERS = {
    "as_bool": _unchanged,
    "as_native": _unchanged,
    "as_number": _unchanged,
    "as_text": _unchanged,
}
execute = False
context = {"cdc_changelog": {f"cdc_vendor__{spec['name']}": _spec_macro(spec) for spec in specs()}}
cdc_changelog = _Package()
project_name = "cdc_changelog"
var = _default
env_var = _default
adapter = _Anything()
exceptions = _Anything()
flags = _Anything()
model = _Anything()
builtins = _Anything()
run_query = _Anything()
load_relation = _Anything()
should_full_refresh = _Anything()
run_started_at = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
