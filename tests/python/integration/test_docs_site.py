"""The documentation site and the README as a reader sees them, opened in headless Chromium.

`CDC_WRITE_PICTURES=1 make test ONE=docs_site` writes the pictures of docs/pictures anew.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from cdc_changelog.config import REPOSITORY
from tests.python.helpers.dbt_project import DbtProject, copy_project, keep_vendors

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
PICTURES = REPOSITORY / "docs" / "pictures"
MARTS = sorted(path.stem for path in (REPOSITORY / "models" / "marts").glob("*.sql"))
# The path of a message, without what configuration decides; `+` is a blank, `%2B` a plus sign.
PATH = "+".join(
    f"%2B{mart}" for mart in MARTS if mart not in ("cdc_table_schemas", "cdc_transactions")
)
BESIDE_THE_PATH = (
    "run_configuration+run_configuration_lines+run_configuration_changes+run_recorded_configuration"
    "+run_configuration_contradictions+run_epoch_settings+run_table_settings+cdc_tables+cdc_epochs"
    "+cdc_excluded_events+int_excluded_events+stg_events_to_decode+run_landing_batches"
    "+run_large_messages+int_landing_times"
)
PAGES = {
    "readme": ("", "1000,2850"),
    "row": ("", "1120,1500"),
    "overview": ("#!/overview", "1280,860"),
    "model": ("#!/model/model.cdc_changelog.cdc_row_versions", "1280,1100"),
    "lineage": (
        f"#!/model/model.cdc_changelog.cdc_row_versions?g_v=1&g_i={PATH}&g_e={BESIDE_THE_PATH}",
        "1500,520",
    ),
}
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 900px; margin: 32px auto; color: #1f2328 }
code, pre { font: 12.5px/1.45 monospace; background: #f2f4f7; border-radius: 5px }
code { padding: 1px 4px } pre { padding: 12px; white-space: pre } pre code { padding: 0 }
table { border-collapse: collapse } td, th { border: 1px solid #d0d7de; padding: 4px 10px }
img { max-width: 100% } h1, h2 { border-bottom: 1px solid #d0d7de }
"""

pytestmark = [
    pytest.mark.server,
    pytest.mark.skipif(
        CHROMIUM is None, reason="No Chromium found: install one, for example Debian's `chromium`."
    ),
]


def _open(page: str, *arguments: str) -> str:
    """Open a page in Chromium, wait until its scripts are done, and return its HTML."""
    assert CHROMIUM is not None
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    options = (
        "--headless", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1.5",
        "--virtual-time-budget=20000", "--dump-dom",
    )  # fmt: skip
    done = subprocess.run(
        [CHROMIUM, *sandbox, *options, *arguments, page],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout


def _take_picture(site: str, name: str, folder: Path) -> str:
    """Open one of the PAGES, take its picture, and return its HTML."""
    address, size = PAGES[name]
    picture = folder / f"{name}.png"
    html = _open(site + address, f"--window-size={size}", f"--screenshot={picture}")
    assert picture.stat().st_size > 20_000
    if os.environ.get("CDC_WRITE_PICTURES"):
        shutil.copy(picture, PICTURES)
    assert (PICTURES / picture.name).exists()
    return html


@pytest.fixture(scope="module")
def site(fixture_scenario: DbtProject, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of the documentation site of a project with one vendor, on the scenario's tables."""
    folder = copy_project(tmp_path_factory.mktemp("cdc_docs"))
    keep_vendors(folder, "sequin")
    for unit_tests in folder.rglob("*__unit_tests.yml"):  # they would fill the lineage
        unit_tests.unlink()
    project = DbtProject(folder, fixture_scenario.server, fixture_scenario.name)
    project.dbt("parse", "--write-json")
    project.dbt("docs", "generate", "--static", "--no-compile")
    return (folder / "target" / "static_index.html").as_uri()


def test_the_overview_names_every_mart(site: str, tmp_path: Path) -> None:
    overview = _take_picture(site, "overview", tmp_path)
    assert [mart for mart in MARTS if mart not in overview] == []


def test_the_page_of_a_model_begins_with_its_grain(site: str, tmp_path: Path) -> None:
    page = _take_picture(site, "model", tmp_path)
    assert page.index("One row per version of a row") < page.index(">version_number<")


def test_the_page_of_a_row_shows_its_timeline_and_runs_nothing_of_a_message(
    fixture_scenario: DbtProject, tmp_path: Path
) -> None:
    vendor, source, table, key = fixture_scenario.query(
        "select vendor, source, table_name, row_key from {cdc}.cdc_row_versions"
        " where source = 'fixtures' order by version_number desc, vendor, table_name, row_key limit 1"
    )[0]
    page = tmp_path / "row.html"
    row = f"{source}/{table}/{','.join(json.loads(key))}"
    done = fixture_scenario.tool(
        *("cdc_changelog", "explain", row, "--vendor", vendor, "--html", str(page)),
        *("--work-schema", fixture_scenario.work_schema),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    html = _take_picture(page.as_uri(), "row", tmp_path)
    assert "What happened" in html and "Versions" in html
    assert "<script" not in html


def test_the_lineage_leads_from_raw_messages_to_the_marts(site: str, tmp_path: Path) -> None:
    assert "Lineage Graph" in _take_picture(site, "lineage", tmp_path)


def test_the_readme_shows_its_picture_and_its_tables(tmp_path: Path) -> None:
    rendered = MarkdownIt().enable("table").render((REPOSITORY / "README.md").read_text())
    page = tmp_path / "readme.html"
    page.write_text(
        f"<base href='{REPOSITORY.as_uri()}/'><meta charset='utf-8'><style>{STYLE}</style>{rendered}"
    )
    _take_picture(page.as_uri(), "readme", tmp_path)
    assert rendered.count("<table>") >= 2
    assert "docs/pictures/lineage.png" in rendered
