"""Which language the notebook that is running speaks.

Code cells are the same in both editions, so a cell cannot say it. The notebook can: its metadata name
the language, and the editions stand in folders called ``zh`` and ``en``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Lang = Literal["zh", "en"]
FALLBACK: Lang = "en"
#: Set by whoever wants to decide it, before anything else is asked.
VARIABLE = "ASCEND_LAB_LANG"
_JUPYTER_NOTEBOOK = (
    "JPY_SESSION_NAME"  # path of the notebook, set by jupyter_server for its kernels
)
_VSCODE_NOTEBOOK = "__vsc_ipynb_file__"  # the same, set by VS Code in the notebook's namespace


def language(
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
    namespace: Mapping[str, object] | None = None,
) -> Lang:
    """ "zh" or "en": what ``$ASCEND_LAB_LANG`` says, else the notebook, else its folder, else "en".

    The arguments stand for the process's environment, its working folder and the notebook's variables.
    """
    variables = os.environ if environ is None else environ
    chosen = known(variables.get(VARIABLE))
    notebook = _notebook(variables, namespace or {})
    if chosen is None and notebook is not None:
        chosen = _of_metadata(notebook) or known(notebook.parent.name)
    if chosen is None:
        chosen = known((folder or Path.cwd()).name)
    return chosen or FALLBACK


def known(name: object) -> Lang | None:
    """``name`` when it is one of the languages."""
    if name == "zh":
        return "zh"
    return "en" if name == "en" else None


def _notebook(environ: Mapping[str, str], namespace: Mapping[str, object]) -> Path | None:
    named = namespace.get(_VSCODE_NOTEBOOK) or environ.get(_JUPYTER_NOTEBOOK)
    return Path(str(named)) if named else None


def _of_metadata(notebook: Path) -> Lang | None:
    try:
        metadata = json.loads(notebook.read_text(encoding="utf-8"))["metadata"]
        return known(metadata["ascend_lab"]["lang"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
