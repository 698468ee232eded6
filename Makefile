# Sabot's commands. They need Python 3.11 or newer and make; `make` alone lists them.

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
API_TOOLS := $(VENV)/api-tools
API_NODE := $(VENV)/api-node
API_PROGRAMS := tests/casino/api/generated
GENERATORS := $(API_TOOLS)/.installed $(API_NODE)/.installed
REDOCLY := @redocly/cli@2.77.0
ASYNCAPI := import json; from casino.api.index import asyncapi_document; print(json.dumps(asyncapi_document()))
SPECTRAL := @stoplight/spectral-cli@6.16.3
DEVELOPMENT := $(VENV)/.development
ONLY :=
# Of the repetitions of the slow proofs (tests/repetitions.py); CI runs a tenth.
SHARE := 1
# Three workers on two cores, since many tests wait for a process that they started; none for a few
# files (tests/servers.py). An idle worker takes tests from the others.
SPREAD := -n auto --dist worksteal
# One at a time, the longest first, so that none of them runs alone at the end.
SPREAD_SLOW := -n auto --dist load --maxschedchunk 1
# The order of Python's sets and dicts keyed by text: another one in each run, named by a failure.
SEED := $(shell od -An -N2 -tu2 /dev/urandom | tr -d ' ')

# A run starts hundreds of processes: what the first one compiles the others need not.
export PYTHONDONTWRITEBYTECODE :=

# Named by the person: .venv is made with it. Not named: what is there stays, else the first that fits.
WANTED := $(if $(filter command environment,$(firstword $(origin PYTHON))),$(PYTHON))

.DEFAULT_GOAL := help
.PHONY: help setup run test test-slow test-all check check-api examples client client-types wheel docs architecture pictures bench drill soak messages clean

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
# it is another Python's than the one named, its Python is gone, or the clone was moved. Pythons that
# Sabot was tested on come first; a newer one is tried with a warning.
$(VENV)/.made: FORCE
	@tell='import sys, os; print(sys.version.split()[0], os.path.realpath(sys.base_prefix))'; \
	runs='import sys; sys.exit(not sys.version_info >= (3, 11))'; \
	tested='import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))'; \
	python='$(WANTED)'; \
	if [ -n "$$python" ]; then \
	  wanted=$$("$$python" -c "$$tell") || exit 1; \
	  "$$python" -c "$$runs" || { echo "Python 3.11 or newer is needed; $$python is $$wanted"; exit 1; }; \
	else \
	  wanted=$$($(BIN)/python -c "$$tell" 2>/dev/null); \
	fi; \
	if [ -z "$$wanted" ] || [ "$$wanted in $(CURDIR)" != "$$(cat $@ 2>/dev/null)" ]; then \
	  for fits in "$$tested" "$$runs"; do \
	    [ -n "$$python" ] && break; \
	    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	      "$$candidate" -c "$$fits" 2>/dev/null && python=$$candidate && break; \
	    done; \
	  done; \
	  [ -n "$$python" ] || { echo "Python 3.11 or newer is needed, and none is on PATH; python3 is" \
	    "$$(python3 -c "$$tell" 2>/dev/null || echo missing)"; exit 1; }; \
	  wanted=$$("$$python" -c "$$tell"); \
	  "$$python" -c "$$tested" || echo "warning: Sabot is tested on Python 3.11 to 3.14, and" \
	    "$$python is $$wanted; if this fails, name another: make PYTHON=python3.14 …"; \
	  echo "making $(VENV) with Python $$wanted"; \
	  rm -rf $(VENV); \
	  if command -v uv >/dev/null; then uv venv --quiet --python "$$(command -v "$$python")" $(VENV); \
	    else "$$python" -m venv $(VENV); fi && echo "$$wanted in $(CURDIR)" > $@; \
	fi

FORCE:

run: $(RUNTIME) ## a demo casino being settled; ends with "ready: http://127.0.0.1:PORT/"
	@exec $(BIN)/python -m casino.devserver

test: setup ## the tests, on a throw-away PostgreSQL and Valkey; ONLY=tests/rounds for a part
	@PYTHONHASHSEED=$(SEED) $(BIN)/python -m pytest $(SPREAD) -m "not slow" $(ONLY)

test-slow: setup $(GENERATORS) ## the slow proofs alone; SHARE=0.2 repeats them less often
	@SABOT_TEST_SHARE=$(SHARE) PYTHONHASHSEED=$(SEED) $(BIN)/python -m pytest $(SPREAD_SLOW) -m slow $(ONLY)

test-all: setup $(GENERATORS) ## both
	@PYTHONHASHSEED=$(SEED) $(BIN)/python -m pytest $(SPREAD) $(ONLY)

check: setup ## style, types, who imports whom, migrations, templates, links of the documentation
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python -m tests.upgrade.gate
	$(BIN)/djhtml --check --tabwidth 2 templates
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# The generators have environments of their own: they bring a Java and TypeScript along. The linters
# need Node.js 20.
$(API_TOOLS)/.installed: requirements-api.txt $(VENV)/.made
	@echo "installing the packages pinned in requirements-api.txt"
	@if command -v uv >/dev/null; \
	  then uv venv --quiet --clear --python $(BIN)/python $(API_TOOLS) \
	    && uv pip install --quiet --python $(API_TOOLS)/bin/python -r requirements-api.txt; \
	  else $(BIN)/python -m venv --clear $(API_TOOLS) \
	    && $(API_TOOLS)/bin/python -m pip install -qq --no-input --disable-pip-version-check \
	      -r requirements-api.txt; \
	fi
	@touch $@

$(API_NODE)/.installed: $(API_PROGRAMS)/package.json $(VENV)/.made
	@command -v npm >/dev/null || { echo "the tests of generated clients need Node.js 20 with npm"; exit 1; }
	@echo "installing the packages pinned in $<"
	@mkdir -p $(API_NODE) && cp $< $(API_NODE)
	@npm install --prefix $(API_NODE) --silent --no-package-lock --no-audit --no-fund
	@touch $@

check-api: setup $(API_TOOLS)/.installed ## the API's descriptions, by Redocly, Spectral and openapi-generator; needs npx
	@command -v npx >/dev/null || { echo "make check-api needs Node.js with npx"; exit 1; }
	@mkdir -p var
	$(BIN)/python manage.py spectacular --format openapi-json --lang en --file var/openapi.json
	npx --yes $(REDOCLY) lint var/openapi.json
	npx --yes $(SPECTRAL) lint var/openapi.json --ruleset .spectral.yaml --fail-severity warn
	$(BIN)/python manage.py shell --no-imports --command "$(ASYNCAPI)" > var/asyncapi.json
	npx --yes $(SPECTRAL) lint var/asyncapi.json --ruleset .spectral.yaml --fail-severity warn
	@for language in go java python typescript-fetch; do \
	  echo "generating a client in $$language"; rm -rf var/clients/$$language; \
	  PATH="$(CURDIR)/$(API_TOOLS)/bin:$$PATH" openapi-generator-cli generate -i var/openapi.json \
	    -g $$language -o var/clients/$$language >var/clients.log 2>&1 || { cat var/clients.log; exit 1; }; \
	done

examples: setup ## record the examples of the API's description again, from its answers
	@SABOT_RECORD_EXAMPLES=1 $(BIN)/python -m pytest -q tests/casino/api/openapi/test_recorded_examples.py

client: setup ## the wheel of sabot-client, the Python client, in var
	@rm -rf var/sabot-client && mkdir -p var && cp -r casino/api/client var/sabot-client
	@cd var/sabot-client && ../../$(BIN)/python -c \
	  "from setuptools.build_meta import build_wheel; print('var/' + build_wheel('..'))" | tail -1

client-types: setup $(API_NODE)/.installed ## the npm package of sabot-client, TypeScript's types, in var; needs npm
	@rm -rf var/client-types && mkdir -p var/client-types && cp casino/api/client/typescript/* var/client-types
	@$(BIN)/python manage.py spectacular --format openapi-json --lang en --file var/openapi.json
	@$(API_NODE)/node_modules/.bin/openapi-typescript var/openapi.json -o var/client-types/index.d.ts
	@cd var/client-types && npm pkg set version=$$(sed -n 's/^__version__.*"\(.*\)"$$/\1/p' ../../casino/api/client/version.py) \
	  && echo "var/$$(npm pack --silent --pack-destination ..)"

wheel: setup ## the wheel of sabot, with its templates and translations, in var
	@mkdir -p var && rm -rf var/wheel
	@$(BIN)/python -c "from setuptools.build_meta import build_wheel; print('var/' + build_wheel('var'))" | tail -1
	@rm -rf var/wheel sabot.egg-info

docs: setup ## the documentation as a site, in var/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

architecture: setup ## draw the packages and their imports again (docs/images/packages.svg)
	$(BIN)/python -m docs.site.draw_packages

# Chromium walks the tour and decides two cases, so the demo must be new.
pictures: setup ## take the pictures of the pages again, while `make run` runs a new demo
	$(BIN)/python -m docs.site.take_pictures

bench: setup ## speed, side by side with the machine's limits; ONLY=pages: the lists
	@$(BIN)/python -m benchmarks $(ONLY)

drill: setup ## lose the database of a casino in play and bring it back: ONLY=restore or ONLY=failover
	@$(BIN)/python -m benchmarks.drills $(or $(ONLY),restore)

# Root can also fill disks; prometheus is Debian's package of that name.
soak: setup ## an hour of mixed load with faults, checked; MINUTES=20 SEED=7; writes docs/administrator/soak.md
	@$(BIN)/python -m benchmarks.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(filter file,$(origin SEED)),,--seed $(SEED))

# No wrapped lines and no line numbers: a new text changes the lines of that text.
messages: setup ## collect the texts of the pages for translation, and compile them
	$(BIN)/python manage.py makemessages --locale it --no-wrap --add-location file \
	  --ignore ".venv*" --ignore var --ignore tests
	$(BIN)/python manage.py compilemessages --locale it

clean: ## stop the servers; remove .venv, data, logs and caches
	@[ ! -x $(BIN)/python ] || $(BIN)/python -m casino.embedded remove
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
