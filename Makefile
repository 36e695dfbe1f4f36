# Two commands matter: `make demo` and `make test`. Both set everything up in .venv and can be repeated.
# `make docs` builds the documentation as a site, site/index.html.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false

.PHONY: demo test docs lint mutants sbom audit clean

demo: $(VENV)/.installed
	$(BIN)/mutatis demo --out demo-out

test: $(VENV)/.installed-test lint
	$(BIN)/python -m pytest -q -n auto

docs: $(VENV)/.installed-docs
	$(BIN)/python docs/_site/pages.py site-pages
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build -q

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Changes the code of a few rooms in thousands of ways and says which changes no unit test notices; see tests/README.md.
# mutmut has an environment of its own, which sees the project's: no test needs it.
MUTANTS ?=
mutants: $(VENV)/.mutmut
	nice -n 10 $(VENV)/mutmut/bin/mutmut run --max-children 1 $(MUTANTS)
	$(VENV)/mutmut/bin/mutmut results

$(VENV)/.mutmut: $(VENV)/.installed-test
	$(PYTHON) -m venv $(VENV)/mutmut
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" > "$$($(VENV)/mutmut/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/project.pth"
	$(VENV)/mutmut/bin/pip install -q mutmut==3.8.1
	touch $@

# For a release: what is in it (CycloneDX, from the pinned versions), and whether anything of that has a known weakness:
# where the service that knows cannot be asked, this fails and says what was not audited. Both tools have an environment
# of their own.
sbom: $(VENV)/.release
	$(VENV)/release/bin/cyclonedx-py requirements constraints.txt --pyproject pyproject.toml -o sbom.json

audit: $(VENV)/.release
	$(BIN)/python .ci/audit.py $(VENV)/release/bin/pip-audit constraints.txt

$(VENV)/.release: $(VENV)/bin/pip
	$(PYTHON) -m venv $(VENV)/release
	$(VENV)/release/bin/pip install -q cyclonedx-bom==7.5.0 pip-audit==2.10.1
	touch $@

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

$(VENV)/.installed-docs: $(VENV)/.installed
	$(BIN)/pip install -q -c constraints.txt -e '.[all,docs]'
	touch $@

clean:
	rm -rf $(VENV) site site-pages demo-out .mutatis .pytest_cache .mypy_cache .ruff_cache .hypothesis mutants sbom.json
