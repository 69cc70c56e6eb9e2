# rl_toolkit: `make help` lists what can be done; every target sets up what it needs.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
MEASURED := envs adapting utils records  # layers whose own tests must reach nearly every line
QUICK := tests/utils tests/envs tests/analysis tests/records $(wildcard tests/test_*.py)
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help play web chromium quick test test-full compiled lint types imports unit coverage bench bench-connect-four soundness late docs release clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/.made:
	tools/make_venv.sh $(VENV) $(PYTHON)
	@touch $@

$(VENV)/.installed: $(VENV)/.made pyproject.toml
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-quick: $(VENV)/.installed
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.installed-test: $(VENV)/.installed-quick
	$(PIP) --editable '.[test-all]'
	@touch $@

play: $(VENV)/.installed  ## play a game of Tic-Tac-Toe in the terminal (GAME=connect-four for another)
	$(BIN)/rl-toolkit play $(or $(GAME),tictactoe)

web: $(VENV)/.installed  ## serve the pages on http://localhost:5001 (PORT=8080 for another)
	$(BIN)/rl-toolkit web $(if $(PORT),--port $(PORT))

chromium:  # for the browser tests: installed where it is missing and we may
	@tools/get_chromium.sh

quick: $(VENV)/.installed-quick  ## a minute: style, imports and the lower layers, without browser and JAX
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 -m 'not full' $(QUICK)

test: $(VENV)/.installed-test  ## everything a change must pass
	$(MAKE) --jobs=2 --output-sync compiled lint types imports
	$(MAKE) unit

compiled: $(VENV)/.installed-test  # once, before every process of the tests would do it
	$(BIN)/python -m compileall -q rl_toolkit
	$(BIN)/rl-toolkit warmup

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

imports: $(VENV)/.installed-test
	$(BIN)/lint-imports

unit: $(VENV)/.installed-test chromium
	$(BIN)/pytest -n 2 -m 'not full'

late: $(VENV)/.installed-test chromium  ## the browser tests with late answers and slow scripts: who does not wait?
	RL_TOOLKIT_TESTS_LATE=400 $(BIN)/pytest -n 2 -m 'not full' $$(grep -rl open_page tests --include='test_*.py')

coverage: $(VENV)/.installed-test  # of the lower layers by their own tests; counting doubles their time
	$(BIN)/pytest -n 2 -m 'not full' $(MEASURED:%=tests/%) $(MEASURED:%=--cov=rl_toolkit/%) --cov-report=
	$(BIN)/coverage report --skip-covered --fail-under=95

test-full: $(VENV)/.installed-test chromium coverage  ## the tests that take longer, too
	$(BIN)/pytest -n 2 --hypothesis-profile=searching

bench: $(VENV)/.installed-test  ## measure; prints tables, writes benchmarks/results/*.json
	$(BIN)/python -m benchmarks

bench-connect-four: $(VENV)/.installed-test  ## measure the exact Connect Four solver beside a peer
	$(BIN)/python -m benchmarks connect_four connect_four_ideas connect_four_answers

soundness: $(VENV)/.installed-test  ## test the solver's proofs on 20,000 positions and more
	SOUNDNESS_POSITIONS=20000 $(BIN)/pytest tests/kernels/connect_four/test_connect_four_proofs.py

$(VENV)/.installed-docs: $(VENV)/.installed
	$(PIP) --editable '.[docs]'
	@touch $@

docs: $(VENV)/.installed-docs  ## build the documentation's site in build/site/html; any warning fails
	$(BIN)/python -m tools.site

$(VENV)/.installed-release: $(VENV)/.installed
	$(PIP) 'build>=1.2' 'twine>=6'
	@touch $@

release: $(VENV)/.installed-release  ## build, check and try VERSION=0.3.0, and date its changelog; tags nothing (DRY=1 dates nothing)
	$(BIN)/python tools/release.py $(VERSION) $(if $(DRY),--dry-run)

clean:  ## remove the virtual environment and everything made by tools
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage build dist *.egg-info
