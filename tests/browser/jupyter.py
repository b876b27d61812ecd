"""A JupyterLab of its own on a copy of the labs, and a headless Chromium that looks at it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TOKEN = "ascend-lab-test"
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
_FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
_START_S = 180


def chromium() -> str | None:
    """The browser to drive, None where there is none."""
    named = os.environ.get("ASCEND_LAB_CHROMIUM")
    return next((path for path in (named, *CHROMIUM) if path and Path(path).exists()), None)


@contextmanager
def server(root: Path, progress: Path) -> Iterator[str]:
    """JupyterLab serving ``root``; gives its address. Ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        *(f"--ServerApp.port={port}", f"--IdentityProvider.token={TOKEN}"),
        *(f"--ServerApp.root_dir={root}", "--expose-app-in-browser"),
        *("--LabApp.extension_manager=readonly", "--LabApp.news_url=None"),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    repository = str(Path(__file__).resolve().parents[2])
    env = dict(os.environ, ASCEND_LAB_PROGRESS=str(progress), PYTHONPATH=repository)
    for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
        env[name] = str(root.parent / name.lower())
    for name in ("JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR"):
        env[name] = str(root.parent / name.lower())
    quiet = Path(env["JUPYTERLAB_SETTINGS_DIR"]) / "@jupyterlab" / "apputils-extension"
    quiet.mkdir(parents=True)
    (quiet / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
    log = (root.parent / "jupyter.log").open("wb")
    process = subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(20)
        log.close()


def _wait(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _START_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/api?token={TOKEN}", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError("JupyterLab did not start; see jupyter.log")


def copy_labs(labs: Path, to: Path) -> Path:
    """A copy of both editions, without outputs, which a browser may run and save."""
    for lang in ("zh", "en"):
        shutil.copytree(labs / lang, to / lang)
        for notebook in sorted((to / lang).glob("*.ipynb")):
            fill_in(notebook, {})
    return to


def fill_in(notebook: Path, answers: dict[str, str]) -> None:
    """Put ``answers`` (cell id -> source) into a notebook and drop its outputs."""
    document = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in document["cells"]:
        if cell["id"] in answers:
            cell["source"] = answers[cell["id"]]
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    notebook.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


class Notebook:
    """One notebook open in JupyterLab."""

    def __init__(self, page: Any, address: str, path: str) -> None:
        self.page = page
        page.goto(f"{address}/lab/tree/{path}?token={TOKEN}&reset")
        page.wait_for_function("window.jupyterapp !== undefined", timeout=60_000)
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        page.evaluate("window.jupyterapp.restored")

    def theme(self, name: str) -> None:
        """ "JupyterLab Light" or "JupyterLab Dark"."""
        dark = "Dark" in name
        self.page.evaluate(
            "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})",
            name,
        )
        self.page.wait_for_function(
            f"document.body.dataset.jpThemeLight === '{'false' if dark else 'true'}'"
        )

    def run_all(self, timeout_s: int = 180) -> None:
        """Run every cell and wait until the last has run."""
        self.page.wait_for_function(
            """() => {
              const context = window.jupyterapp.shell.currentWidget.sessionContext;
              return context.isReady && context.session?.kernel?.status === 'idle';
            }""",
            timeout=60_000,
        )
        self.page.evaluate("void window.jupyterapp.commands.execute('notebook:run-all-cells')")
        self.page.wait_for_function(
            """() => {
              const current = window.jupyterapp.shell.currentWidget;
              const cells = Array.from(current.content.model.cells).filter(c => c.type === 'code');
              return cells.every(c => c.executionCount > 0) &&
                current.sessionContext.session?.kernel?.status === 'idle';
            }""",
            timeout=timeout_s * 1000,
        )

    def outputs(self) -> dict[str, list[dict[str, Any]]]:
        """Cell id -> its outputs."""
        found: dict[str, list[dict[str, Any]]] = self.page.evaluate(
            """() => Object.fromEntries(
              Array.from(window.jupyterapp.shell.currentWidget.content.model.cells)
                .filter(c => c.type === 'code')
                .map(c => [c.id, c.outputs.toJSON()]))"""
        )
        return found

    def show(self, cell: str) -> Any:
        """Scroll a cell into view; gives its element."""
        index = self.page.evaluate(
            """id => Array.from(window.jupyterapp.shell.currentWidget.content.model.cells)
                 .findIndex(c => c.id === id)""",
            cell,
        )
        self.page.evaluate(
            """index => {
              const content = window.jupyterapp.shell.currentWidget.content;
              content.activeCellIndex = index;
              void content.scrollToItem(index, 'start');
            }""",
            index,
        )
        self.page.wait_for_timeout(400)
        element = self.page.locator(f".jp-Notebook .jp-Cell[data-windowed-list-index='{index}']")
        element.wait_for()
        return element


@contextmanager
def browser(width: int = 1280, height: int = 1000, scale: float = 1.0) -> Iterator[Any]:
    """A page of a headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        path = chromium()
        assert path is not None
        window = driver.chromium.launch(executable_path=path, args=_FLAGS)
        try:
            size = {"width": width, "height": height}
            yield window.new_page(viewport=size, device_scale_factor=scale)
        finally:
            window.close()
