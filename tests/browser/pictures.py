"""Draw ``labs/src/pictures/*.svg`` as PNG: ``python -m tests.browser.pictures``.

A notebook can carry a PNG with it, and JupyterLab shows no attached SVG.
"""

from __future__ import annotations

from pathlib import Path

from tests.browser.jupyter import browser

PICTURES = Path(__file__).resolve().parents[2] / "labs" / "src" / "pictures"
SCALE = 1.5


def main() -> None:
    """Write a PNG beside each SVG."""
    with browser(scale=SCALE) as page:
        for path in sorted(PICTURES.glob("*.svg")):
            page.set_content(
                f"<style>body{{margin:0}}svg{{display:block}}</style>{path.read_text('utf-8')}"
            )
            drawing = page.locator("svg")
            drawing.screenshot(path=path.with_suffix(".png"), omit_background=True)


if __name__ == "__main__":
    main()
