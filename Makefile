# Sabot's commands. They need Python 3.11 to 3.13 and make; `make` alone lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := $(VENV)/.complete
ONLY :=

.DEFAULT_GOAL := help
.PHONY: help setup run test test-all check bench messages clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(SETUP) ## .venv with everything pinned; PYTHON=python3.12 for another Python

# Made anew for another Python or when a requirement has changed.
$(SETUP): requirements.txt requirements-dev.txt $(VENV)/.python
	@echo "installing the pinned packages"
	@if command -v uv >/dev/null; \
	  then uv pip install --quiet --python $(BIN)/python -r requirements-dev.txt; \
	  else $(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt; \
	fi
	@touch $@

$(VENV)/.python: FORCE
	@version=$$($(PYTHON) -c 'import sys; print(sys.version, sys.base_prefix)') || exit 1; \
	if [ "$$version" != "$$(cat $@ 2>/dev/null)" ]; then \
	  $(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	    || { echo "Python 3.11 to 3.13 is needed; found $$version"; exit 1; }; \
	  echo "making $(VENV) with Python $$version"; \
	  rm -rf $(VENV); $(PYTHON) -m venv $(VENV) && echo "$$version" > $@; \
	fi

FORCE:

run: setup ## a demo casino being settled; ends with "ready: http://127.0.0.1:PORT/"
	@exec $(BIN)/python -m casino.stack

test: setup ## the tests, on a throw-away PostgreSQL and Valkey
	@$(BIN)/python -m pytest -n 2 -m "not slow" $(ONLY)

test-all: setup ## the slow proofs too
	@$(BIN)/python -m pytest -n 2 $(ONLY)

check: setup ## style, types, who imports whom
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports

bench: setup ## speed, side by side with the machine's limits
	@$(BIN)/python -m benchmarks

messages: setup ## collect the texts of the pages for translation, and compile them
	$(BIN)/python manage.py makemessages --locale it --ignore ".venv*" --ignore var --ignore tests
	$(BIN)/python manage.py compilemessages --locale it

clean: ## stop the servers; remove .venv, data, logs and caches
	@[ ! -x $(BIN)/python ] || $(BIN)/python -m casino.embedded remove
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
