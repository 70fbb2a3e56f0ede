"""The screens over HTTP: what reaches a WebSocket, and what Chromium makes of it."""

import asyncio
from pathlib import Path

from tests.browsing import chromium, needs_chromium, page
from tests.serving import read_until, serving, window
from tests.waiting import LIMIT_S

CAPTURE = Path(__file__).parents[2] / "snapshots" / "story_a_rwlock_gil.hang"
RING = "rwlock context_lock → launcher rwlock_gil.py:18"
RECORD = """
window.received = "";
const Original = WebSocket;
window.WebSocket = class extends Original {
  constructor(...args) {
    super(...args);
    this.addEventListener("message", async (event) => {
      const data = event.data;
      if (typeof data === "string") return;
      const text = await new Response(data).text();  // another message may come meanwhile
      window.received += text;
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


@needs_chromium
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
