# Two commands matter: `make demo` and `make test`. Both set everything up in .venv and can be repeated.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false

.PHONY: demo test lint clean

demo: $(VENV)/.installed
	$(BIN)/mutatis demo --out demo-out

test: $(VENV)/.installed-test lint
	$(BIN)/python -m pytest -q -n auto

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV) || python3 -m venv $(VENV)
	$(BIN)/pip install -q --upgrade pip

# torch comes first and pinned: an open requirement would fetch gigabytes of accelerator libraries.
$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/pip
	$(BIN)/pip install -q -c constraints.txt torch
	$(BIN)/pip install -q -c constraints.txt -e '.[all]'
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(BIN)/pip install -q -c constraints.txt -e '.[all,test]'
	touch $@

clean:
	rm -rf $(VENV) demo-out .mutatis .pytest_cache .mypy_cache .ruff_cache .hypothesis
