"""How Sphinx makes a site of the documents: ``script/site``.

The documents are plain Markdown that is read in the repository as well: their links lead from file
to file, and nothing in them is Sphinx's own but what this file adds. The site loads nothing from
other hosts.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

_BRACKETS = re.compile(r"^!\[(.*?)\]\((.*\[.*\]\.svg)\)$", re.MULTILINE)
_BEGINNING = """\
<!doctype html><title>hangtui</title><meta http-equiv="refresh" content="0; url=README.html">
<a href="README.html">hangtui</a>
"""
_FONT_FACES = re.compile(r"@font-face \{.*?\}", re.DOTALL)

project = "hangtui"
html_title = "hangtui"
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/README.md",
    "docs/*.md",
    "docs/findings/*.md",
    "examples/**.md",
]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
"""As deep as headings have anchors, which are called as on GitHub."""
nitpicky = True
html_theme = "furo"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_use_index = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "friendly"
pygments_dark_style = "monokai"
highlight_language = "none"

CONTENTS = {
    "A process hangs": (
        *("docs/symptoms", "docs/screens", "docs/hangs", "docs/debugging", "docs/crashes"),
        *("docs/keys", "docs/findings/README"),
    ),
    "Before it hangs": (
        *("docs/pytest", "docs/ci", "docs/checking", "docs/jobs", "docs/engines"),
        *("docs/containers", "docs/shells", "docs/agents"),
    ),
    "What it reads": (
        *("docs/waits", "docs/libraries", "docs/native", "docs/json", "docs/permissions"),
        "docs/safety",
    ),
    "The project": (
        *("docs/architecture", "CONTRIBUTING", "CHANGELOG", "SECURITY", "benchmarks/README"),
    ),
}
"""The pages in the margin, by heading; whatever else there is comes under a heading of its own."""


def add_contents(app: Sphinx, name: str, source: list[str]) -> None:
    """Give the pages that lead to others the lists that the margin is made of, and let Sphinx find
    pictures with brackets in their names, which the parser writes as in an address."""
    source[0] = _BRACKETS.sub(r"```{image} \2\n:alt: \1\n```", source[0])
    if name == root_doc:
        named = {root_doc, *(page for pages in CONTENTS.values() for page in pages)}
        others = (page for page in app.env.found_docs if not page.startswith("docs/findings/"))
        contents = {**CONTENTS, "More": tuple(sorted({*others} - named))}
        lists = [_list(pages, caption) for caption, pages in contents.items() if pages]
        source[0] += "\n" + "\n".join(lists)
    elif name == "docs/findings/README":
        pages = re.findall(r"^\| \[[\w-]+\]\(([\w-]+)\.md\)", source[0], re.MULTILINE)
        source[0] += "\n" + _list(tuple(pages), None)


def _list(pages: tuple[str, ...], caption: str | None) -> str:
    heading = f":caption: {caption}\n" if caption else ""
    return f"```{{toctree}}\n:hidden:\n{heading}\n" + "\n".join(pages) + "\n```\n"


def keep_to_itself(app: Sphinx, error: Exception | None) -> None:
    """Take the addresses of fonts out of pictures that tests have drawn; let the site begin where
    servers begin."""
    if error is None:
        Path(app.outdir, "index.html").write_text(_BEGINNING, encoding="utf-8")
    for path in Path(app.outdir, "_images").glob("*.svg") if error is None else ():
        path.write_text(_FONT_FACES.sub("", path.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls it."""
    app.connect("source-read", add_contents)
    app.connect("build-finished", keep_to_itself)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
