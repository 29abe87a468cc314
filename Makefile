# Every target works on a fresh clone: the environment is made when it is missing
# and brought up to date when pyproject.toml has changed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
OLDEST := .venv-oldest
NEWEST := .venv-newest

# A worker that has nothing left to do takes over tests of the other.
PYTEST := python -m pytest -n auto --dist worksteal
# Without tests that take over a second, or that start processes.
QUICK := -m 'not slow and not subprocess and not browser'
# Whose loops have to give the same without being compiled.
KERNEL_TESTS := tests/kernels tests/scores tests/information tests/graphs

# Each process has one core. Two threads for a product of small matrices wait for each
# other, which took ten times as much CPU time.
check test coverage fuzz test-oldest test-newest test-nojit: export OPENBLAS_NUM_THREADS = 1
# Processes that tests start would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo check test test-oldest test-newest test-nojit test-machines test-browser coverage fuzz lint bench reproduce docs clean

help:
	@echo "make demo         set up and run the main job on bundled data"
	@echo "make check        lint, types and the quick tests: two minutes, before every commit"
	@echo "make test         lint, types, all tests, the documentation: what CI runs"
	@echo "make lint         only lint and types"
	@echo "make test-oldest  the quick tests with the oldest dependencies that we declare"
	@echo "make test-newest  the quick tests with the newest ones, pre-releases included"
	@echo "make test-nojit   the tests of kernels and scores without compiling"
	@echo "make test-machines all selectors under the arithmetic of three processors"
	@echo "make test-browser the labelling page in a real Chromium, which is installed where that is allowed"
	@echo "make coverage     which lines the tests run, kernels included"
	@echo "make fuzz         fit all selectors to 10,000 random problems (N=500, SEED=1234)"
	@echo "make bench        the benchmarks beside other packages (SCENARIO=relief for some)"
	@echo "make reproduce    run the published experiments (PAPER=hijazi2019 TABLE=4.2 for one table): hours"
	@echo "make docs         build the documentation"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[cli,label]'
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@

demo: $(VENV)/.installed
	$(BIN)/pairsift demo

check: lint
	$(BIN)/$(PYTEST) -q $(QUICK)

# The documentation comes last: by then the kernels that its examples use are compiled.
# Types and pages take one core each, so they go together, and so does a browser, which
# waits most of the time. All is installed before, because installing takes the package
# away for a moment.
test: $(VENV)/.installed-dev $(VENV)/.installed-docs
	$(BIN)/$(PYTEST) -m 'not browser'
	$(MAKE) -j 3 lint docs $(if $(shell command -v chromium),test-browser)

# One process: the tests share a browser. Without one they are skipped, with the reason.
test-browser: $(VENV)/.installed-dev
	command -v chromium > /dev/null || { [ "$$(id -u)" = 0 ] && apt-get install -y -qq chromium; } \
	  || echo "no Chromium, and it cannot be installed here (needs root and Debian's apt-get)"
	$(BIN)/python -m pytest -q -m browser tests/webapp

$(OLDEST)/.installed: pyproject.toml tests/oldest.txt
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --upgrade pip
	$(OLDEST)/bin/python -m pip install --quiet --editable '.[test,plot]' -c tests/oldest.txt
	touch $@

# Kernels that another Numba has compiled are kept apart. Old packages use what newer ones
# of others deprecate, which is no error of ours.
test-oldest: $(OLDEST)/.installed
	NUMBA_CACHE_DIR=$(CURDIR)/$(OLDEST)/numba $(OLDEST)/bin/$(PYTEST) -q $(QUICK) -W ignore::DeprecationWarning

# Installed anew each time: what is newest changes while our files do not.
test-newest:
	$(PYTHON) -m venv --clear $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --upgrade pip
	$(NEWEST)/bin/python -m pip install --quiet --pre --editable '.[test,plot]'
	NUMBA_CACHE_DIR=$(CURDIR)/$(NEWEST)/numba $(NEWEST)/bin/$(PYTEST) -q $(QUICK)

test-nojit: $(VENV)/.installed-dev
	NUMBA_DISABLE_JIT=1 $(BIN)/$(PYTEST) -q $(QUICK) $(KERNEL_TESTS)

# Compiled loops leave no trace: the second run adds the lines of the kernels.
coverage: $(VENV)/.installed-dev
	$(BIN)/$(PYTEST) -q $(QUICK) --cov --cov-report=
	NUMBA_DISABLE_JIT=1 $(BIN)/$(PYTEST) -q $(QUICK) $(KERNEL_TESTS) --cov --cov-append

# The arithmetic of other processors: Numba compiles all kernels again, which takes minutes.
test-machines: $(VENV)/.installed-dev
	$(BIN)/python -m tests.machines

# The summary names the seed of each failure.
N ?= 10000
SEED ?= 0
fuzz: $(VENV)/.installed-dev
	PAIRSIFT_FUZZ=$(N) PAIRSIFT_FUZZ_SEED=$(SEED) $(BIN)/$(PYTEST) -q tests/fuzz

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

# Without BUDGET it takes hours; the same command continues where it was interrupted.
PAPERS := hijazi2019 hijazi2021 salmi2020 coelho2013
STORED := reproduction/outcomes
reproduce: $(VENV)/.installed
	for paper in $(or $(PAPER),$(PAPERS)); do \
	  $(BIN)/python -m reproduction $$paper $(TABLE) --store $(STORED) $(if $(BUDGET),--budget $(BUDGET)) || exit; \
	done

docs: $(VENV)/.installed-docs
	mkdir -p docs/reproduction
	for paper in $(PAPERS); do \
	  $(BIN)/python -m reproduction $$paper --store $(STORED) --budget 0 --out docs/reproduction/$$paper.md > /dev/null || exit; \
	done
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	$(BIN)/python docs/offline.py docs/_build/html

clean:
	rm -rf $(VENV) $(BENCH) $(OLDEST) $(NEWEST) docs/_build docs/gallery docs/api/generated docs/reproduction build dist src/*.egg-info
