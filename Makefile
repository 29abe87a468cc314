# Every target works on a fresh clone: the environment is made when it is missing
# and brought up to date when pyproject.toml has changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench

.DEFAULT_GOAL := help
.PHONY: help demo test fuzz lint bench docs clean

help:
	@echo "make demo   set up and run the main job on bundled data"
	@echo "make test   set up and run lint, types, docstring checks, doctests and tests, build the docs"
	@echo "make lint   only lint and types"
	@echo "make fuzz   fit all selectors to 10,000 random problems (N=500 for fewer, SEED=1234 N=1 for one)"
	@echo "make bench  run the benchmarks beside other packages (SCENARIO=relief for some)"
	@echo "make docs   build the documentation"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@ $(VENV)/.installed

demo: $(VENV)/.installed
	$(BIN)/pairsift demo

# The documentation comes last: by then the kernels that its examples use are compiled.
test: lint
	$(BIN)/python -m pytest -n auto --dist loadfile
	$(MAKE) docs

# The summary names the seed of each failure.
N ?= 10000
SEED ?= 0
fuzz: $(VENV)/.installed-dev
	PAIRSIFT_FUZZ=$(N) PAIRSIFT_FUZZ_SEED=$(SEED) $(BIN)/python -m pytest -q -n auto tests/fuzz

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The peers have an environment of their own: nothing of ours depends on them.
$(BENCH)/.installed: pyproject.toml benchmarks/peers.txt
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --upgrade pip
	$(BENCH)/bin/python -m pip install --quiet --editable '.[test]' -r benchmarks/peers.txt
	touch $@

bench: $(BENCH)/.installed
	$(BENCH)/bin/python -m pytest -q tests/scores/test_peers.py
	$(BENCH)/bin/python -m benchmarks run $(SCENARIO)

docs: $(VENV)/.installed-docs
	$(BIN)/sphinx-build -q -W --keep-going -j auto -b html docs docs/_build/html

clean:
	rm -rf $(VENV) $(BENCH) docs/_build docs/gallery docs/api/generated build dist src/*.egg-info
