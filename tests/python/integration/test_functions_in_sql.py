"""What Python functions do can be done in SQL: with the same results, and on a server that has no such function."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cdc_changelog.client import connect, run_sql, sql_literal
from cdc_changelog.config import ServerConfig
from python_udfs import registry
from python_udfs.rows.fold_rows import EVENT_FIELDS
from tests.python.helpers.dbt_project import DbtError, DbtProject, copy_project
from tests.python.helpers.quick_proof import QuickProof, quick_project_folder
from tests.python.helpers.samples import assert_scenario_comes_out, build_fixture_scenario
from tests.python.helpers.servers import server_with_private_sessions

IN_SQL = {"cdc_functions_in": "sql", "cdc_lock_in": "table"}
CHANGES_TYPE = """
    array<struct<
        row_id: string,
        side: string,
        operation: string,
        image: string,
        image_kind: string,
        row_columns: array<string>,
        ended_columns: array<string>,
        transaction_scope: string,
        change_id: string,
        moved_to_row_key: string
    >>
"""
NAMES = ['"id"', '"a"', '"b"', '"Phone"', '"na\\u00efve"', '"x\\"q"', '"😀"', '"a\\\\"']
VALUES = [
    "1", "1.50", "12345678901234567890.10", "-0", "1e400", "null", "true", "[]", '""', '"x\\"y}"',
    '"a,b:\\\\"', '{"a":[1,{"b":null}],"c":"]"}', '"naïve \\u00e9 😀"', "[" * 500 + "]" * 500,
]  # fmt: skip


def _random_image(choices: random.Random) -> str:
    """A JSON object; a name may stand in it twice."""
    names = choices.choices(NAMES, k=choices.randint(0, 6))
    blank = choices.choice(["", "", " ", "\n\t"])
    columns = f",{blank}".join(
        f"{name}{blank}:{blank}{choices.choice(VALUES)}{blank}" for name in names
    )
    return f"{{{blank}{columns}}}"


def random_changes(seed: int) -> list[dict[str, Any]]:
    """Changes of up to four rows in a few transactions: images of all kinds, moves, ends, losses."""
    choices = random.Random(seed)
    rows = [str(number) for number in range(choices.randint(1, 4))]
    changes: list[dict[str, Any]] = []
    for number in range(choices.randint(1, 14)):
        row, other = choices.choice(rows), choices.choice(rows)
        change = dict.fromkeys(EVENT_FIELDS) | {
            "row_id": row,
            "change_id": f"c{number}",
            "transaction_scope": choices.choice(["t", "u", None]),
            "row_columns": choices.choice([None, None, ["id", "a", "Phone", 'x"q', "naïve"]]),
        }
        image = {
            "operation": choices.choice(["insert", "update", "snapshot"]),
            "image": choices.choice([_random_image(choices), _random_image(choices), None]),
            "image_kind": choices.choice(["full", "partial", "partial", None]),
        }
        kind = choices.random()
        if kind < 0.5:
            changes.append(change | image)
        elif kind < 0.8 and row != other:
            leaves = {"operation": "update", "side": "out", "moved_to_row_key": other}
            changes.append(change | leaves)
            changes.append(change | image | {"row_id": other, "side": "in"})
        elif kind < 0.9:
            changes.append(change | {"operation": "delete"})
        elif kind < 0.93:
            changes.append(change | {"operation": choices.choice(["truncate", "drop", "reset"])})
        else:
            ended = choices.choice([None, ["phone", '"ID"'], ["`a`", "B"], ['[x"q]', "NAÏVE"]])
            changes.append(change | {"operation": "columns", "ended_columns": ended})
    return changes


@pytest.fixture(scope="module")
def compiled(make_project: Callable[..., DbtProject]) -> Callable[[str], str]:
    """Gives what a macro call becomes."""
    project = make_project("cdc_functions_in_sql")

    def compile_call(call: str) -> str:
        [result] = project.dbt("compile", "--inline", "{{ " + call + " }}").results
        return str(result.node.compiled_code)

    return compile_call


def _groups(name: str, texts: list[str], kind: str) -> str:
    """A relation of one row for each text, read as a list of structs."""
    values = ", ".join(f"({number}, {sql_literal(text)})" for number, text in enumerate(texts))
    return (
        f"(select number, from_json(text, '{' '.join(kind.split())}') as {name}"
        f" from values {values} as given (number, text))"
    )


@pytest.mark.server
def test_random_changes_are_folded_in_sql_as_in_python(
    server: ServerConfig, compiled: Callable[[str], str]
) -> None:
    texts = [json.dumps(random_changes(seed)) for seed in range(150)]
    columns = compiled("cdc_split_columns(\"coalesce(change.image, '{}')\")")
    fields = ", ".join(f"change.{name} as {name}" for name in EVENT_FIELDS)
    with_columns = f"transform(changes, change -> struct({fields}, {columns} as columns))"
    in_sql = compiled("cdc_fold_rows_in_sql('changes_with_columns')")
    with closing(connect(server.host, server.port)) as client:
        found = run_sql(
            client,
            f"select number, to_json(in_python), to_json(in_sql) from"
            f" (select number, cdc_fold_rows(changes) as in_python, {in_sql} as in_sql from"
            f" (select *, {with_columns} as changes_with_columns"
            f" from {_groups('changes', texts, CHANGES_TYPE)} as random_groups) as with_columns) as folded",
        )
    assert len(found) == len(texts)
    assert [row for row in found if row[1] != row[2]] == []
    assert sum("displaced_by" in row[1] for row in found) > 10


@pytest.mark.server
def test_rows_that_key_changes_connect_are_grouped_in_sql_as_in_python(
    server: ServerConfig, compiled: Callable[[str], str]
) -> None:
    choices = random.Random(1)
    texts = [
        json.dumps(
            [
                {
                    "row_id_before": str(choices.randint(0, 40)),
                    "row_id": str(choices.randint(0, 40)),
                }
                for _ in range(choices.randint(0, 40))
            ]
        )
        for _ in range(100)
    ]
    in_sql = compiled("cdc_connect_rows_in_sql('moves')")
    kind = "array<struct<row_id_before: string, row_id: string>>"
    with closing(connect(server.host, server.port)) as client:
        found = run_sql(
            client,
            "select number, to_json(sort_array(cdc_connect_rows(moves))),"
            f" to_json(sort_array({in_sql})) from {_groups('moves', texts, kind)} as random_moves",
        )
    assert len(found) == len(texts)
    assert [row for row in found if row[1] != row[2]] == []


@pytest.fixture(scope="module")
def server_without_functions(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ServerConfig]:
    """A server that has none of our Python functions, and a session for each client."""
    with server_with_private_sessions(
        tmp_path_factory.mktemp("no_functions"), has_python_functions=False
    ) as config:
        yield config


@pytest.mark.slow
def test_the_server_has_no_python_function(server_without_functions: ServerConfig) -> None:
    server = server_without_functions
    with closing(connect(server.host, server.port)) as client:
        for udf in registry.discover():
            assert (
                run_sql(client, f"show all functions in spark_catalog.default like '{udf.name}'")
                == []
            )


@pytest.mark.slow
def test_cases_and_histories_come_out_as_expected_without_python_functions(
    server_without_functions: ServerConfig, tmp_path: Path
) -> None:
    folder = quick_project_folder(tmp_path / "quick")
    proof = QuickProof(DbtProject(folder, server_without_functions, "cdc_sql_quick", IN_SQL))
    proof.build()
    assert proof.failures() == []


@pytest.mark.slow
def test_five_dialects_come_out_as_expected_without_python_functions(
    server_without_functions: ServerConfig, tmp_path: Path
) -> None:
    folder = copy_project(tmp_path / "fixtures")
    variables = {"cdc_fixtures": True, **IN_SQL}
    project = DbtProject(folder, server_without_functions, "cdc_sql_fixtures", variables)
    build_fixture_scenario(project)
    assert_scenario_comes_out(project)


@pytest.mark.slow
def test_a_run_that_would_call_a_python_function_says_what_to_set(
    server_without_functions: ServerConfig, tmp_path: Path
) -> None:
    folder = quick_project_folder(tmp_path / "python")
    variables = {"cdc_lock_in": "table"}
    project = DbtProject(folder, server_without_functions, "cdc_no_python", variables)
    with pytest.raises(DbtError, match="Set cdc_functions_in: sql"):
        project.dbt("seed")
