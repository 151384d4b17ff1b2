# Everything runs in .venv/, which is made on first use and brought up to date when a lock file changes.
# Works with GNU make 3.81 and later.

VENV     := .venv
LOCKS    := requirements
BASES    := python3.13 python3.12 python3.11 python3.14 python3 python
WORKERS  ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
GAMES    ?= 1000000
DEMO     := data/demo
# What the small report of the demo plays, and how much.
ASKED    := game-shape,tournament
PLAYED   ?= 2000
# Options handed to pytest, as in: make test TESTS="tests/rules -k teardown"
TESTS    ?=
# The whole suite is shared out, a file at a time, among as many processes as there are cores, four at most.
SHARED   := -n auto --maxprocesses 4 --dist loadfile
# What a change needs first. What takes long all the same is named at the end, to be made short or marked as slow.
FAST     := -m "not slow and not processors" --durations 10 --durations-min 3
# What plays every rule set, every set of Great Powers and both kinds of strategies.
BOUNDED  := tests/engine/test_properties.py tests/engine/test_uniform_choice.py
# What works figures out.
FIGURES  := tests/analysis tests/experiments/test_equal_arms.py tests/questions/test_variants.py \
    tests/experiments/test_optimise.py tests/questions/test_tournament_circles.py tests/questions/test_tournament.py \
    tests/strategies/test_expert.py::test_it_learns_and_always_the_same
BENCH    ?=

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_ROOT_USER_ACTION := ignore

# Wheels only, each checked against its hash: nothing unpinned is fetched, not even to build something.
INSTALL  := $(BIN)/python -m pip install -qq --require-hashes --no-deps --only-binary :all: -r
EDITABLE := $(BIN)/python -m pip install -qq --no-index --no-deps --no-build-isolation --editable .

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo report notebooks test test-fast test-bounds test-processors test-figures lint format bench bench-compare bench-keep lab lock data-readme clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.run ## play a million 3-player games into data/demo, show their summary, and write a small report
	$(BIN)/fivetowers simulate --games $(GAMES) --players 3 --strategies greedy --seed 1 \
	    --workers $(WORKERS) --out $(DEMO) $(if $(wildcard $(DEMO)),--resume)
	$(BIN)/fivetowers summary $(DEMO)
	$(BIN)/fivetowers report --games $(PLAYED) --questions $(ASKED) --experiments $(DEMO)-report --out reports/demo

report: $(VENV)/.run ## write the balance report into reports/, playing first what it needs and doesn't find
	$(BIN)/fivetowers report --workers $(WORKERS)

notebooks: $(VENV)/.test ## run all notebooks from top to bottom (some minutes)
	$(BIN)/python -m pytest --nbmake --nbmake-timeout=3600 notebooks

test: $(VENV)/.test ## run the test suite
	$(BIN)/python -m pytest $(or $(TESTS),$(SHARED))

test-fast: $(VENV)/.test ## run the tests that a change needs first (two minutes, once the kernels are compiled)
	$(BIN)/python -m pytest $(FAST) $(or $(TESTS),$(SHARED))

test-bounds: $(VENV)/.test ## run tests that play all kinds of games with every array access checked (some minutes)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest $(BOUNDED)

test-processors: $(VENV)/.test ## run the tests with the instructions of each processor that this one can stand for (long)
	$(BIN)/python -m pytest -m processors tests/processors
	$(BIN)/python -m tests.processors.run $(or $(TESTS),$(SHARED))

test-figures: $(VENV)/.test ## compare figures between instruction sets, and run what they depend on with old ones
	$(BIN)/python -m pytest -m processors tests/processors
	$(BIN)/python -m tests.processors.run --oldest $(FIGURES)

lint: $(VENV)/.test ## check style, docstrings and the direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/numpydoc lint $$(find fivetowers_sim -name '*.py')

format: $(VENV)/.test ## lay out the code and mend what can be mended by itself
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# BENCH=--quick takes a minute or two, BENCH="--only kernel start" measures some groups; --help names all.
bench: $(VENV)/.test ## measure speed and memory, beside a native yardstick where there is a C compiler
	$(BIN)/python -m tests.benchmarks.run $(BENCH)

bench-compare: $(VENV)/.test ## measure again and flag what is worse than the kept results in docs/
	$(BIN)/python -m tests.benchmarks.run --compare $(BENCH)

bench-keep: $(VENV)/.test ## measure, keep the results in docs/ and write their page
	$(BIN)/python -m tests.benchmarks.run --keep $(BENCH)

lab: $(VENV)/.lab ## open JupyterLab on the notebooks, with everything importable
	$(BIN)/jupyter lab notebooks

data-readme: $(VENV)/.run ## write data/README.md from the declared columns
	$(BIN)/python -m fivetowers_sim.cli.data_readme > data/README.md.tmp
	mv data/README.md.tmp data/README.md

clean: ## remove the environment, caches and build files; data/ stays
	@$(OWN_VENV)
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	find fivetowers_sim tests \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +

# ---- The environment ----

# An environment that something else has made, under the same name, is not for this file to remove.
OWN_VENV = if [ -e $(VENV) ] && [ ! -e $(VENV)/.ours ] && [ ! -e $(VENV)/.made ]; then \
	echo 'make: $(VENV) is there and was not made by make: move it away, or choose another name: make VENV=.venv-of-make' >&2; \
	exit 1; fi

# PYTHON=… chooses the interpreter; otherwise the first that runs and is of a supported version.
$(VENV)/.made:
	@base=; \
	for candidate in $(or $(PYTHON),$(BASES)); do \
	    if "$$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' 2>/dev/null; \
	    then base=$$candidate; break; fi; \
	done; \
	if [ -z "$$base" ]; then \
	    echo 'make: Python 3.11 to 3.14 is needed, and none of these is one: $(or $(PYTHON),$(BASES)).' >&2; \
	    echo '      Say which to use: make PYTHON=/path/to/python3.12 …' >&2; exit 1; \
	fi; \
	if ! "$$base" -c 'import ensurepip, venv' 2>/dev/null; then \
	    echo "make: $$base has no venv and ensurepip (on Debian and Ubuntu: apt-get install python3-venv)." >&2; exit 1; \
	fi; \
	$(OWN_VENV); \
	echo "Making $(VENV)/ with $$("$$base" --version) …"; \
	rm -rf $(VENV) && mkdir -p $(VENV) && touch $(VENV)/.ours && "$$base" -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.made $(LOCKS)/run.txt pyproject.toml
	@echo 'Installing what running needs (once; a minute or two) …'
	@$(INSTALL) $(LOCKS)/run.txt
	@$(EDITABLE)
	@touch $@

$(VENV)/.test: $(VENV)/.made $(LOCKS)/test.txt $(LOCKS)/run.txt pyproject.toml
	@echo 'Installing what tests and checks need (once; a minute or two) …'
	@$(INSTALL) $(LOCKS)/test.txt
	@$(EDITABLE)
	@touch $(VENV)/.run $@

$(VENV)/.lab: $(VENV)/.test $(LOCKS)/lab.txt
	@echo 'Installing JupyterLab (once) …'
	@$(INSTALL) $(LOCKS)/lab.txt
	@touch $@

# ---- The lock files ----

# Versions move only with UPGRADE=1. lab.txt comes first; the others take their versions from it.
COMPILE = UV_CUSTOM_COMPILE_COMMAND='make lock' $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--fork-strategy fewest --generate-hashes --no-build --no-annotate --no-emit-index-url --no-emit-find-links \
	$(if $(UPGRADE),--upgrade)

lock: $(VENV)/.made ## refresh the lock files after a change of dependencies (UPGRADE=1: newest versions)
	@$(INSTALL) $(LOCKS)/lock.txt
	$(COMPILE) --group build --extra test --extra dask --extra lab pyproject.toml --output-file $(LOCKS)/lab.txt
	$(COMPILE) --group build --extra test --extra dask pyproject.toml --constraints $(LOCKS)/lab.txt \
	    --output-file $(LOCKS)/test.txt
	$(COMPILE) --group build pyproject.toml --constraints $(LOCKS)/lab.txt --output-file $(LOCKS)/run.txt
	$(COMPILE) --group lock --output-file $(LOCKS)/lock.txt
