"""A browser without a window, driven over its debugger's protocol."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.serving import plain
from tests.waiting import LIMIT_S, until

if TYPE_CHECKING:
    from aiohttp import ClientWebSocketResponse

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


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
