"""The site of the documents: it is made without a warning, all that its pages lead to is there, and
a browser shows each at the width of a phone. It loads nothing from other hosts."""

import functools
import http.server
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.browsing import Page, chromium, needs_chromium, page

ROOT = Path(__file__).parents[2]
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
LIMIT_S = 300
pytestmark = pytest.mark.timeout(2 * LIMIT_S)


class Links(HTMLParser):
    """What a page has: its anchors, what it links to, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One element."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload"):
            self.loaded.append(given["href"])
        if "src" in given:
            self.loaded.append(given["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, made anew."""
    pytest.importorskip("sphinx")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [ROOT / "script" / "site", folder],
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        env={"HANGTUI_VENV": str(Path(sys.executable).parents[1]), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    # A link, an anchor or a picture that is not there is a warning, and these are errors.
    assert (done.returncode, done.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    """All pages."""
    return {path: Links(path) for path in site.rglob("*.html")}


def test_every_document_is_on_the_site(site: Path) -> None:
    documents = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/findings/*.md"), ROOT / "README.md"]

    missing = [
        one for one in documents if not (site / one.relative_to(ROOT)).with_suffix(".html").exists()
    ]
    assert missing == []
    assert len(documents) > 70


def test_every_link_leads_to_a_file_and_an_anchor_that_are_there(
    site: Path, pages: dict[Path, Links]
) -> None:
    wrong = []
    for path, found in pages.items():
        for link in (*found.links, *found.loaded):
            parts = urlsplit(link)
            if parts.scheme or link.startswith("//") or link == "#":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = target.is_file() and target.is_relative_to(site.resolve())
            anchors = pages[target].anchors if target in pages else set()
            if not there or (parts.fragment and target in pages and parts.fragment not in anchors):
                wrong.append((str(path.relative_to(site)), link))
    assert wrong == []


def test_nothing_is_loaded_from_other_hosts(site: Path, pages: dict[Path, Links]) -> None:
    loaded = [one for found in pages.values() for one in found.loaded]
    assert [one for one in loaded if urlsplit(one).netloc] == []
    texts = [*site.rglob("*.css"), *site.rglob("*.svg")]
    addressed = [
        path.name
        for path in texts
        if "url(http" in path.read_text(encoding="utf-8").replace('"', "").replace("'", "")
        or "url(//" in path.read_text(encoding="utf-8").replace('"', "").replace("'", "")
    ]
    assert addressed == []


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """The address of the site on a server of files."""

    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    handler = functools.partial(Silent, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


async def go(shown: Page, address: str) -> None:
    """Open a page, and wait until all of it is there."""
    await shown.ask("Page.navigate", url=address)
    here = f"String(location.href == {json.dumps(address)} && document.readyState)"
    await shown.until(here, "complete")


OVERFLOW = """
JSON.stringify([document.documentElement.scrollWidth, innerWidth,
  [...document.images].filter(one => one.complete && !one.naturalWidth).map(one => one.src)])
"""


@needs_chromium
async def test_a_browser_at_the_width_of_a_phone(
    site: Path, pages: dict[Path, Links], served: str, tmp_path: Path
) -> None:
    wrong = []
    with chromium(tmp_path) as browser:
        async with page(browser) as shown:
            await shown.ask("Page.enable")
            await shown.ask("Emulation.setDeviceMetricsOverride", **PHONE)
            for path in pages:
                await go(shown, f"{served}/{path.relative_to(site)}".replace("index", "README"))
                width, room, broken = json.loads(await shown.value(OVERFLOW))
                if width > room or room != PHONE["width"] or broken:
                    wrong.append((str(path.relative_to(site)), width, broken))
    assert wrong == []


@needs_chromium
async def test_the_search_finds_a_page(served: str, tmp_path: Path) -> None:
    with chromium(tmp_path) as browser:
        async with page(browser) as shown:
            await shown.ask("Page.enable")
            await go(shown, f"{served}/README.html")
            await shown.value(
                "document.querySelector('input[name=q]').value = 'starvation';"
                "document.querySelector('input[name=q]').form.submit()"
            )
            results = "document.querySelector('#search-results, .search')?.innerText ?? ''"
            await shown.until(results, "executor-starvation")
