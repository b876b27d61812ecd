# Needs Python >= 3.11 and make. Everything else goes into .venv.
#
#   make lab               opens JupyterLab on the labs      (make lab ARGS=--no-browser: prints the address)
#   make test              everything that has to hold       (under 10 minutes on 2 cores)
#   make check             the static part of it
#   make nightly           the deep runs
#   make clean             removes .venv and caches
#
# make PYTHON=/path/to/python3.12 ... takes that Python instead of the first one found.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help setup lab test check nightly notebooks clean

BIN := .venv/bin
STAMP := .venv/.installed
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done)
FOUND = $(or $(shell $(or $(PYTHON),python3) --version 2>/dev/null),not there)
# In a container people are root, and Jupyter wants to be told that this is meant.
ROOT = $(if $(filter 0,$(shell id -u)),--allow-root)
# The labs need no network: no extension list, no news, no question about them.
QUIET = --LabApp.extension_manager=readonly --LabApp.news_url=None \
	--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate
WORKERS ?= 2
export PIP_DISABLE_PIP_VERSION_CHECK := 1

help:
	@sed -n 's/^#   //p' Makefile

setup: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@$(or $(PYTHON),false) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed; $(or $(PYTHON),python3) here is: $(FOUND)."; \
		echo "Install one and try again, or name it: make PYTHON=/path/to/python3.12 ..."; \
		echo "需要 Python 3.11 或更高版本。装好后重试，或用 make PYTHON=/path/to/python3.12 指定。"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "$(PYTHON) has no venv module. Debian, Ubuntu: sudo apt install python3-venv"; \
		echo "$(PYTHON) 缺少 venv 模块。Debian、Ubuntu：sudo apt install python3-venv"; exit 1; }
	@echo "Setting up .venv with $$($(PYTHON) --version). The first time takes a few minutes."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[all]'
	@touch $@

# The notebooks are committed; they are built again only when a source is newer.
notebooks: $(STAMP)
	@$(BIN)/python labs/build.py --check >/dev/null 2>&1 || $(BIN)/python labs/build.py

lab: $(STAMP) notebooks
	$(BIN)/jupyter lab --notebook-dir=labs $(QUIET) $(ROOT) $(ARGS)

check: $(STAMP)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test: check
	$(BIN)/pytest -n $(WORKERS) $(ARGS)
	$(BIN)/pytest --nbval labs/ -n $(WORKERS) --dist loadfile

nightly: $(STAMP)
	ASCEND_LAB_DEEP=1 $(BIN)/pytest -n $(WORKERS) -m nightly --timeout 3600 $(ARGS)

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
