"""`cdc init`: a dbt project that installs the package, with configuration seeds and a profile."""

from __future__ import annotations

import re
from pathlib import Path
from string import Template

import click

from cdc_changelog.config import PACKAGE_PROJECT, CdcError

# Each file is a template: `$name` stands for the project's name. A name that begins with `dot_` is
# one with a dot, which a wheel would leave out.
TEMPLATES = Path(__file__).parent / "new_project"
# Lines of the configuration seeds: only their headers, which are those of our own seeds.
SEEDS = ("cdc_tables", "cdc_epochs", "cdc_excluded_events")
NEXT = """
Next, in {folder}:

  cdc serve --background                        a local Spark Thrift server
  cdc land <vendor> shop messages.jsonl         shop is the name of your feed
  cdc build                                     changelog, current rows, history
  cdc keys                                      tables that wait for a line in {tables}
  cdc table shop.orders                         a table with real columns, as a model of yours
  cdc status
"""


def project_name(folder: Path, name: str | None) -> str:
    """Return the name of a new project: letters, digits and underscores, as dbt wants it.

    Raises CdcError where the name given is another one.
    """
    if name is None:
        name = re.sub(r"\W+", "_", folder.resolve().name.lower()).strip("_")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise CdcError(
            f"The project's name would be {name!r}; expected small letters, digits and underscores"
            " (--name)."
        )
    if name == "cdc_changelog":
        raise CdcError("The project cannot have the name of the package, cdc_changelog (--name).")
    return name


def make_project(folder: Path, name: str | None = None) -> None:
    """Write the files of a new project and say what to do next.

    Raises CdcError, and writes nothing, where one of the files is there already.
    """
    name = project_name(folder, name)
    values = {"name": name, "package": str(PACKAGE_PROJECT)}
    files: dict[Path, str] = {}
    for template in sorted(TEMPLATES.rglob("*")):
        if template.is_file():
            name_in_project = str(template.relative_to(TEMPLATES)).replace("dot_", ".")
            files[folder / name_in_project] = Template(template.read_text()).substitute(values)
    for seed in SEEDS:
        header = (PACKAGE_PROJECT / "seeds" / "config" / f"{seed}.csv").read_text().splitlines()[0]
        files[folder / "seeds" / "cdc" / f"{name}_{seed}.csv"] = f"{header}\n"
    if there := [str(path) for path in files if path.exists()]:
        raise CdcError(f"Nothing was written, since these files are there: {', '.join(there)}")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        click.echo(f"wrote {path}")
    click.echo(NEXT.format(folder=folder, tables=f"seeds/cdc/{name}_cdc_tables.csv"))
