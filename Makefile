# King Arena. `make league` and `make test` need only Python (3.11 or later, with venv) and make.
SHELL := /bin/sh
PYTHON ?= python3
VENV ?= .venv
SERVE ?= 1
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
PROTO := $(shell find proto -name '*.proto' 2>/dev/null)
CATALOGUES := $(wildcard dashboard/locale/*/LC_MESSAGES/*.po)
INPUTS := pyproject.toml constraints.txt hatch_build.py proto/generate.py $(PROTO) dashboard/locale/catalogues.py $(CATALOGUES)
# One core is for mypy, which runs beside; of two cores, the other takes the tests without a process for each.
XDIST ?= $(shell cores=$$(getconf _NPROCESSORS_ONLN); if [ $$cores -gt 2 ]; then expr $$cores - 1; else echo 0; fi)
# Slow tests wait nearly as much as they compute: two processes a core keep the cores busy.
XDIST_SLOW ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) '*' 2)

# Hundreds of processes are started; without kept bytecode each would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help league test test-postgresql bench check lint types imports protocol unit slow format catalogue axe kustomize baseline playthroughs clean

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 22

$(VENV)/runtime: $(INPUTS)
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "make: $(PYTHON) must be Python 3.11 or later with the venv module (Debian: apt install python3-venv);" \
	       "choose another one with make PYTHON=..." >&2; exit 2; }
	@echo "Setting up $(VENV) (downloads packages the first time)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) hatchling editables grpcio-tools mypy-protobuf babel
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/dev: $(VENV)/runtime
	@echo "Adding the tools for tests to $(VENV)"
	@$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@

league: $(VENV)/runtime ## play a whole league of the sample bots, print the ladder, serve it (SERVE=0: end after it)
	@SERVE=$(SERVE) exec $(BIN)/king league --with-parent

check: $(VENV)/dev ## the fast part: lint, types, imports, protocol, unit tests, side by side
	@$(MAKE) --no-print-directory --jobs 3 --output-sync lint types imports protocol unit

test: check slow ## everything

# Of these folders the files that keep a league anywhere.
STORED = $(shell grep -lE 'Store|database_url|PlayedLeague|Reader|Caller|Arena|site: str|signed_in|World' tests/league/test_*.py tests/workers/test_*.py tests/dashboard/test_*.py tests/api/test_*.py)

test-postgresql: $(VENV)/dev ## the tests of what keeps a league, with PostgreSQL in place of SQLite
	@KING_TEST_STORE=postgresql $(BIN)/pytest -q -n $(XDIST_SLOW) --dist loadfile --no-loadscope-reorder -m 'not browser' $(STORED) --durations=15

lint: $(VENV)/dev
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { echo "run 'make format'" >&2; exit 1; }

types: $(VENV)/dev
	@$(BIN)/mypy .

imports: $(VENV)/dev
	@$(BIN)/lint-imports --no-logo

protocol: $(VENV)/dev
	@cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf breaking --against baseline.binpb

unit: $(VENV)/dev
	@$(BIN)/pytest -q -n $(XDIST) -m 'not slow and not browser'

# A few games in Rust are played sooner than the kit's libraries are optimised.
slow: export CARGO_PROFILE_RELEASE_OPT_LEVEL = 0
slow: $(VENV)/dev ## the tests that `make check` leaves out
	@$(BIN)/pytest -q -n $(XDIST_SLOW) --dist loadfile --no-loadscope-reorder -m 'slow or browser' --durations=15

$(VENV)/bench: $(VENV)/dev
	@echo "Adding what benchmarks compare with to $(VENV)"
	@$(PIP) --no-build-isolation --editable '.[dev,bench]'
	@touch $@

bench: $(VENV)/bench ## the benchmarks: a table, and build/bench.json
	@$(BIN)/python -m benchmarks

compiled: $(VENV)/dev ## the engine compiled with mypyc, in build/compiled: PYTHONPATH=build/compiled has it used
	@$(BIN)/python compile_engine.py

format: $(VENV)/dev ## lay out the code
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .

catalogue: $(VENV)/dev ## enter new messages of the dashboard into its catalogues, and compile them
	@$(BIN)/python dashboard/locale/catalogues.py

axe: ## install axe-core with npm, which tests of accessibility use if it is there
	@cd tests/dashboard/axe && npm install --silent --no-package-lock --no-audit --no-fund

kustomize: build/tools/kustomize ## build kustomize with Go, which tests of k8s/ use if it is there

# In its own module: what it needs is none of ours.
build/tools/kustomize:
	@mkdir -p build/tools
	@GOBIN="$(abspath build/tools)" go install sigs.k8s.io/kustomize/kustomize/v5@v5.8.2

baseline: $(VENV)/dev ## accept today's protocol as the one that may not be broken
	@cd proto && ../$(BIN)/buf build --output baseline.binpb

clean: ## remove what was built (not the leagues in .king)
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache $(VENV)
