# Sabot's commands. They need Python 3.11 to 3.13 and make; `make` alone lists them.

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
DEVELOPMENT := $(VENV)/.development
ONLY :=
# Three at a time on two cores: many tests wait for a process that they started. Who has nothing left
# takes tests from the others, else the last of the three would run the slow ones alone.
SPREAD := -n 3 --dist worksteal

# Named by the person: .venv is made with it. Not named: what is there stays, else the first that fits.
WANTED := $(if $(filter command environment,$(firstword $(origin PYTHON))),$(PYTHON))

.DEFAULT_GOAL := help
.PHONY: help setup run test test-all check bench messages clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(DEVELOPMENT) ## .venv with everything pinned; PYTHON=python3.12 for another Python

define install
	@echo "installing the packages pinned in $(1)"
	@if command -v uv >/dev/null; \
	  then uv pip install --quiet --python $(BIN)/python -r $(1) -c constraints.txt; \
	  else $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check \
	    -r $(1) -c constraints.txt; \
	fi
	@touch $@
endef

$(RUNTIME): requirements.txt constraints.txt $(VENV)/.made
	$(call install,requirements.txt)

$(DEVELOPMENT): requirements-dev.txt $(RUNTIME)
	$(call install,requirements-dev.txt)

# Written anew, and so newer than what was installed, only when .venv had to be made: there is none,
# it is another Python's than the one named, its Python is gone, or the clone was moved.
$(VENV)/.made: FORCE
	@tell='import sys, os; print(sys.version.split()[0], os.path.realpath(sys.base_prefix))'; \
	fits='import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))'; \
	python='$(WANTED)'; \
	if [ -n "$$python" ]; then \
	  wanted=$$("$$python" -c "$$tell") || exit 1; \
	  "$$python" -c "$$fits" || { echo "Python 3.11 to 3.13 is needed; $$python is $$wanted"; exit 1; }; \
	else \
	  wanted=$$($(BIN)/python -c "$$tell" 2>/dev/null); \
	fi; \
	if [ -z "$$wanted" ] || [ "$$wanted in $(CURDIR)" != "$$(cat $@ 2>/dev/null)" ]; then \
	  for one in $$python python3 python3.13 python3.12 python3.11 python; do \
	    "$$one" -c "$$fits" 2>/dev/null && python=$$one && break; \
	  done; \
	  [ -n "$$python" ] || { echo "Python 3.11, 3.12 or 3.13 is needed, and none is on PATH"; exit 1; }; \
	  wanted=$$("$$python" -c "$$tell"); \
	  echo "making $(VENV) with Python $$wanted"; \
	  rm -rf $(VENV); \
	  if command -v uv >/dev/null; then uv venv --quiet --python "$$(command -v "$$python")" $(VENV); \
	    else "$$python" -m venv $(VENV); fi && echo "$$wanted in $(CURDIR)" > $@; \
	fi

FORCE:

run: $(RUNTIME) ## a demo casino being settled; ends with "ready: http://127.0.0.1:PORT/"
	@exec $(BIN)/python -m casino.stack

test: setup ## the tests, on a throw-away PostgreSQL and Valkey
	@$(BIN)/python -m pytest $(SPREAD) -m "not slow" $(ONLY)

test-all: setup ## the slow proofs too
	@$(BIN)/python -m pytest $(SPREAD) $(ONLY)

check: setup ## style, types, who imports whom
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports

bench: setup ## speed, side by side with the machine's limits; ONLY=pages: the lists
	@$(BIN)/python -m benchmarks $(ONLY)

messages: setup ## collect the texts of the pages for translation, and compile them
	$(BIN)/python manage.py makemessages --locale it --ignore ".venv*" --ignore var --ignore tests
	$(BIN)/python manage.py compilemessages --locale it

clean: ## stop the servers; remove .venv, data, logs and caches
	@[ ! -x $(BIN)/python ] || $(BIN)/python -m casino.embedded remove
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
