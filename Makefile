# The only entry: `make help` lists what there is. Nothing needs the environment to be activated.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.setup-stamp
ARGS ?=
export ONE ?=
# Names and rows are data: they reach Python as they were typed, and no shell reads them.
export LAND_VENDOR := $(value VENDOR)
export LAND_SOURCE := $(value SOURCE)
export LAND_FILES := $(value FILES)
export EXPLAIN_ROW := $(value ROW)
unexport VENDOR SOURCE FILES ROW

export DBT_PROFILES_DIR := $(CURDIR)/profiles
export DBT_SEND_ANONYMOUS_USAGE_STATS ?= false
export PATH := $(CURDIR)/$(BIN):$(PATH)

# Tests and demo have a folder and a port of their own, so that they never touch `make serve`.
# `port` is that of a server running on the folder, else one that is free.
own_server = export CDC_DATA_DIR="$(CURDIR)/.local/$(1)" CDC_THRIFT_HOST=127.0.0.1; \
	CDC_THRIFT_PORT="$$(python -m cdc_changelog.server.background port)"; export CDC_THRIFT_PORT;

.PHONY: help setup serve build run land docs status explain demo try unit-test test test-all test-format test-kafka bench bench-landing check rebuild maintain try-again set-aside unlock clean

help: ## this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  ARGS="…" is passed on, for example: make build ARGS="--full-refresh"'

setup: $(STAMP) ## the Python environment in .venv (every other target makes it when missing)

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "error: $$($(PYTHON) --version) found, 3.11 or later needed: make setup PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) (the first time takes a few minutes) …"
	@python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

serve: $(STAMP) ## the Thrift server in the foreground until Ctrl-C
	@exec cdc serve --stop-with-parent $(ARGS)

build: $(STAMP) ## dbt build of the models, from cdc_raw.*; nothing where nothing is new
	@cdc build $(ARGS)

run: $(STAMP) ## the same without data tests: for every few minutes
	@cdc run $(ARGS)

land: $(STAMP) ## land JSONL files: make land VENDOR=… SOURCE=… FILES="…"
	@test -n "$$LAND_VENDOR" -a -n "$$LAND_SOURCE" -a -n "$$LAND_FILES" || \
		{ echo 'usage: make land VENDOR=… SOURCE=… FILES="a.jsonl b.jsonl.gz"'; exit 2; }
	@python -m cdc_changelog.landing.files $(ARGS)

docs: $(STAMP) ## the documentation site, on http://127.0.0.1:8080
	@python -m cdc_changelog.server.ready --timeout 10
	@dbt docs generate $(ARGS)
	@dbt docs serve --host 127.0.0.1 --port $${CDC_DOCS_PORT:-8080} --no-browser

status: $(STAMP) ## how landing, changelog and marts are
	@cdc status $(ARGS)

explain: $(STAMP) ## the life of one row: make explain ROW=…
	@cdc explain $(ARGS)

demo: $(STAMP) ## everything once, on sample messages: environment, server, landing, build, a tour
	@$(call own_server,demo) cdc demo

try: $(STAMP) ## how a message is read, event by event: make try VENDOR=sequin FILES=message.json
	@$(call own_server,test) python -m cdc_changelog.server.background start; python -m cdc_changelog.commands.try_message $(ARGS)

unit-test: $(STAMP) ## the dbt unit tests with this in their names: make unit-test ONE=sequin_insert
	@test -n "$$ONE" || { echo 'usage: make unit-test ONE=<a part of the names>'; exit 2; }
	@$(call own_server,test) python -m cdc_changelog.server.background start; python -m cdc_changelog.commands.try_message --unit-tests "$$ONE"

test: $(STAMP) ## the whole proof that CI runs; make test ONE=late_between: the tests with this in their names, on a warm server
	@$(call own_server,test) if test -z "$$ONE"; then pytest -m "not slow" $(ARGS); else \
		python -m cdc_changelog.server.background start; \
		CDC_TEST_HISTORIES="$${CDC_TEST_HISTORIES:-5}" pytest -k "$$ONE" $(ARGS); fi

test-all: $(STAMP) ## the long proof: 2,000 histories, damaged messages, kills, broken SQL; what counts on Iceberg (hours)
	@$(call own_server,test) pytest $(ARGS); \
	CDC_TEST_HISTORIES="$${CDC_TEST_HISTORIES:-2000}" pytest tests/python/integration/test_any_order_any_batching.py; \
	CDC_TEST_DAMAGED="$${CDC_TEST_DAMAGED:-4000}" pytest tests/python/integration/test_situations.py; \
	$(MAKE) --no-print-directory test-format FORMAT=iceberg ARGS=

test-format: $(STAMP) ## the proofs of any order and any restart on a table format: make test-format FORMAT=iceberg
	@test -n "$(FORMAT)" || { echo 'usage: make test-format FORMAT=iceberg'; exit 2; }
	@export CDC_TABLE_FORMAT=$(FORMAT); \
	$(call own_server,test-$(FORMAT)) pytest -m server tests/python/integration \
		--ignore tests/python/integration/test_mutations.py --ignore tests/python/integration/test_benchmarks.py $(ARGS)

test-kafka: $(STAMP) ## landing from a real broker: 100,000 messages of all vendors, jobs killed in between; Avro, Protobuf
	@$(call own_server,test) pytest tests/python/integration/test_kafka.py tests/python/integration/test_encodings.py $(ARGS)

bench: $(STAMP) ## what it costs, beside a bare parse and a hand-written job: make bench ARGS="--messages 100000"
	@$(call own_server,bench) python -m benchmarks $(ARGS)

bench-landing: $(STAMP) ## what landing from Kafka costs, beside Spark's bare Kafka source
	@$(call own_server,bench) python -m benchmarks.landing $(ARGS)

check: $(STAMP) ## the part of the proof that needs no server
	@python -m dev.check $(ARGS)

rebuild: $(STAMP) ## everything read and rebuilt from the raw messages, after a change of keys or epochs
	@cdc rebuild $(ARGS)

maintain: $(STAMP) ## compact the tables, empty replaced events, drop old snapshots: daily
	@cdc maintain

try-again: $(STAMP) ## read a landing batch at which runs died: make try-again VENDOR=… BATCH=…
	@cdc try-again "$$LAND_VENDOR" "$(BATCH)"

set-aside: $(STAMP) ## leave a landing batch unread: make set-aside VENDOR=… BATCH=…
	@cdc set-aside "$$LAND_VENDOR" "$(BATCH)"

unlock: $(STAMP) ## free the lock that a killed run left behind
	@cdc unlock

clean: ## delete what was built; keeps .venv and the data of `make serve`
	@if test -x $(BIN)/python; then for name in demo test test-iceberg bench; do \
		CDC_DATA_DIR="$(CURDIR)/.local/$$name" python -m cdc_changelog.server.background stop > /dev/null; done; fi
	@rm -rf target dbt_packages logs .local/demo .local/test* .local/bench
	@rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis build ./*.egg-info
