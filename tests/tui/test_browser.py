"""The screens over HTTP: what reaches a WebSocket, and what Chromium makes of it."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.serving import plain, read_until, serving, window
from tests.waiting import LIMIT_S, until

if TYPE_CHECKING:
    from aiohttp import ClientWebSocketResponse

CAPTURE = Path(__file__).parents[2] / "snapshots" / "story_a_rwlock_gil.hang"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
RING = "rwlock context_lock → launcher rwlock_gil.py:18"
RECORD = """
window.received = "";
const Original = WebSocket;
window.WebSocket = class extends Original {
  constructor(...args) {
    super(...args);
    this.addEventListener("message", async (event) => {
      const data = event.data;
      if (typeof data !== "string") window.received += await new Response(data).text();
    });
  }
};
"""
"""Keeps what the page's WebSocket gets, since a terminal on a canvas cannot be read back."""


async def test_a_window_shows_the_screens_and_takes_keys() -> None:
    with serving(str(CAPTURE)) as (port, token):
        async with window(port, token) as socket:
            assert RING in await read_until(socket, RING)
            await socket.send_json(["stdin", "4"])
            await read_until(socket, "WHY WE SAY SO")
            await socket.send_json(["resize", {"width": 80, "height": 24}])
            await read_until(socket, "4 Find")


@contextmanager
def chromium(folder: Path) -> Iterator[str]:
    """A browser without a window: the address of its debugger."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",  # the tests may run as root
        "--disable-dev-shm-usage",
        "--enable-unsafe-swiftshader",
        "--remote-debugging-port=0",
        "--window-size=1200,800",
        f"--user-data-dir={folder}",
        "about:blank",
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            file = folder / "DevToolsActivePort"
            # The port, and in the next line the browser's own path.
            until(lambda: file.exists() and len(file.read_text().splitlines()) > 1)
            yield f"http://127.0.0.1:{file.read_text().splitlines()[0]}"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


class Page:
    """A page of the browser, over its debugger's protocol."""

    def __init__(self, socket: "ClientWebSocketResponse") -> None:
        self._socket = socket
        self._number = 0

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of one command; events in between are passed over."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        while True:
            message = json.loads(await self._socket.receive_str())
            if message.get("id") == self._number:
                assert "error" not in message, message
                return dict(message["result"])

    async def value(self, expression: str) -> str:
        """What a JavaScript expression is."""
        result = await self.ask("Runtime.evaluate", expression=expression)
        return str(result["result"].get("value"))

    async def until(self, expression: str, word: str) -> None:
        """Wait until *word* is in it."""
        async with asyncio.timeout(LIMIT_S):
            while word not in plain(await self.value(expression)):
                await self.pause()

    async def pause(self) -> None:
        """Let the page work for a moment."""
        moment = "new Promise((done) => setTimeout(done, 50))"
        await self.ask("Runtime.evaluate", expression=moment, awaitPromise=True)

    async def press(self, key: str) -> None:
        """One key of the keyboard."""
        await self.ask("Input.dispatchKeyEvent", type="keyDown", text=key, key=key)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def picture(self) -> str:
        """What is painted, as PNG in base 64."""
        return str((await self.ask("Page.captureScreenshot"))["data"])


@asynccontextmanager
async def page(browser: str) -> AsyncIterator[Page]:
    """The browser's first page."""
    aiohttp = pytest.importorskip("aiohttp")
    async with aiohttp.ClientSession() as session:
        pages: list[dict[str, str]] = []
        async with asyncio.timeout(LIMIT_S):
            while not pages:  # the debugger answers before there is a page
                async with session.get(f"{browser}/json") as answer:
                    pages = [one for one in await answer.json() if one["type"] == "page"]
        url = pages[0]["webSocketDebuggerUrl"]
        async with session.ws_connect(url, max_msg_size=0) as socket:
            yield Page(socket)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
async def test_chromium_paints_the_screens_and_sends_keys(tmp_path: Path) -> None:
    with serving(str(CAPTURE)) as (port, token), chromium(tmp_path) as browser:
        async with page(browser) as shown:
            await shown.ask("Page.enable")
            await shown.ask("Page.addScriptToEvaluateOnNewDocument", source=RECORD)
            await shown.ask("Page.navigate", url=f"http://127.0.0.1:{port}/?token={token}")
            await shown.until("window.received", RING)
            await shown.until("document.body.className", "-first-byte")
            assert "token" not in await shown.value("location.href")
            before = await shown.picture()
            await shown.value("document.querySelector('textarea').focus()")
            await shown.press("4")
            await shown.until("window.received", "WHY WE SAY SO")
            async with asyncio.timeout(LIMIT_S):
                while (await shown.picture()) == before:
                    await shown.pause()
