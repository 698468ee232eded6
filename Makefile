# Sabot's commands. They need Python 3.11 or newer and make; `make` alone lists them.

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
API_TOOLS := $(VENV)/api-tools
API_NODE := $(VENV)/api-node
API_PROGRAMS := tests/casino/api/generated
GENERATORS := $(API_TOOLS)/.installed $(API_NODE)/.installed
UV := uv==0.13.8
PIP_AUDIT := pip-audit==2.10.1
LOCK = $(VENV)/lock-tools/bin/uv pip compile --quiet --no-config --universal --python-version 3.11 \
  --generate-hashes --no-annotate --no-header $(UPGRADE)
COMMITTED_AT = $(shell git log -1 --format=%ct)
REDOCLY := @redocly/cli@2.77.0
ASYNCAPI := import json; from casino.api.index import asyncapi_document; print(json.dumps(asyncapi_document()))
SPECTRAL := @stoplight/spectral-cli@6.16.3
FUZZER := $(VENV)/fuzzer
MUTATIONS := $(VENV)/mutants
PEERS := $(VENV)/peers
BROWSER_PYTHON := $(VENV)/browser-python
VERIFICATION_PAGE := var/verification-page.html
DEVELOPMENT := $(VENV)/.development
ONLY :=
# Of the repetitions of the slow proofs (tests/repetitions.py); CI runs a tenth.
SHARE := 1
# Of so many parts of the slow proofs one is run, drawn by SEED; several where CI's machine is slow.
PARTS := 1
# Three workers on two cores, since many tests wait for a process that they started; none for a few
# files (tests/servers.py). An idle worker takes tests from the others.
SPREAD := -n auto --dist worksteal
# One at a time, the longest first, so that none of them runs alone at the end.
SPREAD_SLOW := -n auto --dist load --maxschedchunk 1 --durations 30
# The order of Python's sets and dicts keyed by text: another one in each run, named by a failure.
SEED := $(shell od -An -N2 -tu2 /dev/urandom | tr -d ' ')

# A run starts hundreds of processes: what the first one compiles the others need not.
export PYTHONDONTWRITEBYTECODE :=

# Named by the person: .venv is made with it. Not named: what is there stays, else the first that fits.
WANTED := $(if $(filter command environment,$(firstword $(origin PYTHON))),$(PYTHON))

.DEFAULT_GOAL := help
FUZZES := $(filter Linux/x86_64,$(shell uname -s)/$(shell uname -m))
.PHONY: help setup run test test-slow test-all fuzz mutants check check-api examples client client-types verification-page wheel compiled release lock audit docs architecture pictures bench drill soak messages clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(DEVELOPMENT) ## .venv with everything pinned; PYTHON=python3.12 for another Python

# What is installed is what the lock says, file by file: nothing is resolved anew.
define install
	@echo "installing the packages pinned in $(1)"
	@touch $(@D)/.unfinished
	@if command -v uv >/dev/null; \
	  then uv pip install --quiet --python $(2)/python --require-hashes --no-deps -r $(1); \
	  else $(2)/python -m pip install -qq --no-input --disable-pip-version-check \
	    --require-hashes --no-deps -r $(1); \
	fi
	@rm $(@D)/.unfinished
	@touch $@
endef

$(RUNTIME): requirements.lock $(VENV)/.made
	$(call install,requirements.lock,$(BIN))

$(DEVELOPMENT): requirements-dev.lock $(RUNTIME)
	$(call install,requirements-dev.lock,$(BIN))

# Written anew, and so newer than what was installed, only when .venv had to be made: there is none,
# an installation into it was interrupted, it is another Python's than the one named, its Python is
# gone, or the clone was moved. Pythons that Sabot was tested on come first; a newer one is tried with
# a warning.
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
	if [ -z "$$wanted" ] || [ -e $(@D)/.unfinished ] || [ "$$wanted in $(CURDIR)" != "$$(cat $@ 2>/dev/null)" ]; then \
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

run: $(RUNTIME) $(VERIFICATION_PAGE) ## a demo casino being settled; ends with "ready: http://127.0.0.1:PORT/"
	@exec $(BIN)/python -m casino.devserver

test: setup ## the tests, on a throw-away PostgreSQL and Valkey; ONLY=tests/rounds for a part
	@PYTHONHASHSEED=$(SEED) $(BIN)/python -m pytest $(SPREAD) -m "not slow" $(ONLY)

test-slow: setup $(GENERATORS) $(FUZZER)/.installed $(MUTATIONS)/.installed $(PEERS)/.installed $(BROWSER_PYTHON)/.installed ## the slow proofs alone; SHARE=0.2 repeats them less often, PARTS=3 runs a third
	@SABOT_TEST_SHARE=$(SHARE) SABOT_TEST_PARTS=$(PARTS) PYTHONHASHSEED=$(SEED) \
	  $(BIN)/python -m pytest $(SPREAD_SLOW) -m slow $(WITHOUT_FUZZER) $(ONLY)
	$(TELL_NOT_FUZZED)

test-all: setup $(GENERATORS) $(FUZZER)/.installed $(MUTATIONS)/.installed $(PEERS)/.installed $(BROWSER_PYTHON)/.installed ## both
	@PYTHONHASHSEED=$(SEED) $(BIN)/python -m pytest $(SPREAD) $(WITHOUT_FUZZER) $(ONLY)
	$(TELL_NOT_FUZZED)

fuzz: setup $(FUZZER)/.installed ## an hour of fuzzing from what was kept; TARGET=feed MINUTES=5, or a FILE that is a finding
	@$(if $(FUZZES)$(FILE),,echo "$(NOT_FUZZED)"; exit 1)
	@$(BIN)/python -m $(if $(FILE),tests.fuzzing.replay_file $(TARGET) $(FILE),tests.fuzzing $(TARGET) $(if $(MINUTES),--minutes $(MINUTES)))

# The fuzzer is outside of .venv's packages: there is none for other systems, where `make setup` has to work.
NOT_FUZZED = NOT FUZZED: atheris exists for Linux on x86-64 alone, and this is $(shell uname -sm). Run 'make fuzz' there.
WITHOUT_FUZZER := $(if $(FUZZES),,--deselect tests/fuzzing/test_fuzzing.py)
TELL_NOT_FUZZED = $(if $(FUZZES),,@echo "$(NOT_FUZZED)")

$(FUZZER)/.installed: requirements-fuzzing.lock $(DEVELOPMENT)
ifdef FUZZES
	@$(BIN)/python -m venv --clear $(FUZZER)
	$(call install,requirements-fuzzing.lock,$(FUZZER)/bin)
else
	@echo "$(NOT_FUZZED)"
endif

# It goes on where the last run ended (docs/contributor/mutation.md).
fuzz mutants: export COMPILED_RULES := no# what they follow and change is the source
mutants: ONLY := $(or $(ONLY),rounds/rules)
mutants: setup $(MUTATIONS)/.installed ## change the rules in many places, list what no test notices; ONLY=rounds/rules/odds.py MINUTES=60
	@mkdir -p var/mutants
	@$(MUTATIONS)/bin/python -m tests.mutants.generate $(ONLY) > var/mutants/mutants.jsonl
	@$(BIN)/python -m tests.mutants $(ONLY) $(if $(MINUTES),--minutes $(MINUTES))

$(MUTATIONS)/.installed: requirements-mutants.lock $(DEVELOPMENT)
	@$(BIN)/python -m venv --clear $(MUTATIONS)
	$(call install,requirements-mutants.lock,$(MUTATIONS)/bin)

$(PEERS)/.installed: requirements-peers.lock $(DEVELOPMENT)
	@echo "installing the packages pinned in $<"
	@$(BIN)/python -m venv --clear $(PEERS)
	@$(PEERS)/bin/python -m pip install -qq --no-input --disable-pip-version-check \
	  --require-hashes --no-deps --ignore-requires-python -r $<
	@touch $@

# Python for browsers: files that pages contain. Its package would bring along a web framework.
$(BROWSER_PYTHON)/.installed: deploy/verification_page/requirements.lock $(VENV)/.made
	@echo "installing the packages pinned in $<"
	@rm -rf $(BROWSER_PYTHON)
	@if command -v uv >/dev/null; \
	  then uv pip install --quiet --python $(BIN)/python --require-hashes --no-deps --target $(BROWSER_PYTHON) -r $<; \
	  else $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check \
	    --require-hashes --no-deps --target $(BROWSER_PYTHON) -r $<; \
	fi
	@touch $@

verification-page: $(VERIFICATION_PAGE) ## the page that verification files are made of

$(VERIFICATION_PAGE): $(RUNTIME) $(BROWSER_PYTHON)/.installed $(wildcard $(shell git ls-files \
    casino/backoffice compliance/exports/verify_bundle.py payouts/settlement rounds templates))
	@$(BIN)/python manage.py build_verification_page $(BROWSER_PYTHON)/flet_web/web/pyodide

check: setup ## style, types, who imports whom, migrations, templates, links of the documentation
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python -m tests.upgrade.gate
	$(BIN)/djhtml --check --tabwidth 2 templates
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "NOT CHECKED: known vulnerabilities of the pinned packages. Run 'make audit' where there is a network."

audit: $(VENV)/.made ## known vulnerabilities of the pinned packages; needs the network, and fails without an answer; make release keeps it
	@$(BIN)/python -m venv $(VENV)/audit-tools
	@$(VENV)/audit-tools/bin/python -m pip install -qq --no-input --disable-pip-version-check $(PIP_AUDIT)
	@mkdir -p var && rm -f var/audit.json
	-$(VENV)/audit-tools/bin/pip-audit --disable-pip --require-hashes -r requirements.lock --format json --output var/audit.json
	$(VENV)/audit-tools/bin/pip-audit --strict --disable-pip --require-hashes -r requirements-dev.lock

# The generators have environments of their own: they bring a Java and TypeScript along. The linters
# need Node.js 20.
$(API_TOOLS)/.installed: requirements-api.lock $(VENV)/.made
	@$(BIN)/python -m venv --clear $(API_TOOLS)
	$(call install,requirements-api.lock,$(API_TOOLS)/bin)

$(API_NODE)/.installed: $(API_PROGRAMS)/package.json $(VENV)/.made
	@command -v npm >/dev/null || { echo "the tests of generated clients and of single sign-on need Node.js 20 with npm"; exit 1; }
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

# From the files that git knows, with the time of the commit: twice the same bytes.
define build_wheel
	@rm -rf var/sources && mkdir -p var/sources $(1)
	@git ls-files -z | tar --null --files-from=- -cf - | tar -C var/sources -xf -
	@umask 022 && cd var/sources && SOURCE_DATE_EPOCH=$(COMMITTED_AT) ../../$(BIN)/python -c \
	  "from setuptools.build_meta import build_wheel; print('$(1)/' + build_wheel('../../$(1)'))" | tail -1
	@rm -rf var/sources
endef

wheel: setup ## the wheel of sabot, with its templates and translations, in var
	$(call build_wheel,var)

compiled: setup ## compile the rules, which judge faster then; needs a C compiler
	@rm -rf var/compiled
	@$(BIN)/python -m deploy.compiled_rules var/compiled | tail -1
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --force-reinstall var/compiled/*.whl

release: setup ## wheel, pins, bill of materials and the signed list of all files, in var/release; KEY=FILE
	@[ -n "$(KEY)" ] || { echo "KEY: found none; needed the file of the key that signs releases:" \
	  "openssl genpkey -algorithm ed25519 -out FILE"; exit 1; }
	@[ -z "$$(git status --porcelain)" ] || { echo "found changes that are not committed; a release needs a commit"; exit 1; }
	@rm -rf var/release
	$(call build_wheel,var/release)
	@SOURCE_DATE_EPOCH=$(COMMITTED_AT) $(BIN)/python -m deploy.release var/release $(KEY) var/audit.json

lock: $(VENV)/.made ## pin all that the requirements bring along, with hashes, in *.lock; UPGRADE=--upgrade for newer ones
	@$(BIN)/python -m venv $(VENV)/lock-tools
	@$(VENV)/lock-tools/bin/python -m pip install -qq --no-input --disable-pip-version-check $(UV)
	@$(LOCK) --output-file requirements.lock requirements.txt
	@$(LOCK) --constraint requirements.lock --output-file requirements-dev.lock requirements-dev.txt
	@$(LOCK) --output-file requirements-api.lock requirements-api.txt
	@$(LOCK) --output-file requirements-fuzzing.lock requirements-fuzzing.txt
	@$(LOCK) --output-file requirements-mutants.lock requirements-mutants.txt
	@$(LOCK) --no-deps --output-file deploy/verification_page/requirements.lock deploy/verification_page/requirements.txt
	@$(subst 3.11,3.12,$(LOCK)) --output-file requirements-peers.lock requirements-peers.txt

docs: setup ## the documentation as a site, in var/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

architecture: setup ## draw the packages and their imports again (docs/images/packages.svg)
	$(BIN)/python -m docs.site.draw_packages

# Chromium walks the tour and decides two cases, so the demo must be new.
pictures: setup ## take the pictures of the pages again, while `make run` runs a new demo
	$(BIN)/python -m docs.site.take_pictures

bench: setup ## speed, side by side with the machine's limits; QUICK=1: less data; COMPARE=REF: than at a commit
	@SABOT_BENCH_QUICK=$(QUICK) $(BIN)/python -m $(if $(COMPARE),benchmarks.compare $(COMPARE),benchmarks) $(ONLY)

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
