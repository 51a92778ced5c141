"""What integration tests share: the quick proof and the fixture scenario, built once for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from benchmarks.broker import BROKER_LOCK, running_broker
from cdc_changelog.config import ServerConfig
from cdc_changelog.server.jars import jar_dir
from tests.python.helpers.dbt_project import DbtProject, copy_project
from tests.python.helpers.kafka_project import KafkaProject
from tests.python.helpers.quick_proof import QuickProof, quick_project_folder
from tests.python.helpers.samples import build_fixture_scenario


@pytest.fixture(scope="session")
def quick_proof(
    server: ServerConfig, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[QuickProof]:
    """The cases and some random histories, landed in three runs of one project."""
    folder = quick_project_folder(tmp_path_factory.mktemp("cdc_quick"))
    project = DbtProject(folder, server, "cdc_quick")
    proof = QuickProof(project)
    proof.drop()
    proof.build()
    yield proof
    proof.drop()


@pytest.fixture(scope="session")
def fixture_scenario(
    server: ServerConfig, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DbtProject]:
    """One scenario in five dialects, landed in three runs, and every sample message."""
    folder = copy_project(tmp_path_factory.mktemp("cdc_fixtures_test"))
    project = DbtProject(folder, server, "cdc_fixtures_test", {"cdc_fixtures": True})
    project.drop_schemas()
    build_fixture_scenario(project)
    yield project
    project.drop_schemas()


def _download_kafka() -> None:
    jar_dir("broker", BROKER_LOCK)
    jar_dir("kafka")


@pytest.fixture(scope="session", autouse=True)
def kafka(server: ServerConfig, request: pytest.FixtureRequest) -> Iterator[Future[None]]:
    """The jars of broker and source: they arrive while other tests run."""
    with ThreadPoolExecutor(1) as downloads:
        tests = [item for item in request.session.items if isinstance(item, pytest.Function)]
        if any("make_kafka_project" in test.fixturenames for test in tests):
            yield downloads.submit(_download_kafka)
        else:
            yield Future()


@pytest.fixture(scope="module")
def make_kafka_project(
    kafka: Future[None],
    make_project: Callable[..., DbtProject],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., KafkaProject]]:
    """Makes projects whose messages come from one broker."""
    kafka.result()
    with running_broker(tmp_path_factory.mktemp("broker")) as servers:
        yield lambda name, **options: KafkaProject(
            make_project(name, **options), servers, tmp_path_factory.mktemp(name)
        )
