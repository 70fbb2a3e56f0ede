"""One browser window of ``hangtui serve``: a process with the screens, and its browser's words."""

import asyncio
import contextlib
import json
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import Sequence

from aiohttp import WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

_SMALLEST, _LARGEST = 2, 1000
"""Cells of a side of the screen: a browser may ask for anything."""
_LEAVING_S = 10.0
"""How long the screens may take to let a process go before they are killed."""
_USUAL = {"width": 80, "height": 24}


class Window(AppService):
    """Runs *words* for as long as the browser's *socket* is open."""

    def __init__(
        self, words: Sequence[str], socket: web.WebSocketResponse, downloads: DownloadManager
    ) -> None:
        super().__init__(
            "hangtui",
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=self._close,
            download_manager=downloads,
        )
        self._words = words
        self._socket = socket

    async def _close(self) -> None:
        await self._socket.close()

    async def serve(self, width: int, height: int) -> None:
        """Until the browser or the screens end it."""
        await self.start(_side("width", width), _side("height", height))
        try:
            async for message in self._socket:
                if message.type is WSMsgType.TEXT:
                    await self._heard(message.data)
        finally:
            await self._end()

    async def _end(self) -> None:
        """Returns once the process is gone: until then its place is taken."""
        with contextlib.suppress(TimeoutError, ConnectionError):
            await asyncio.wait_for(self.stop(), _LEAVING_S)
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def run(self) -> None:
        """Until the process ends, in whatever way; then there is nothing to show any more."""
        await super().run()
        await self._close()

    async def _heard(self, text: str) -> None:
        """What the page sends; anything else is passed over."""
        with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError, IndexError):
            kind, *values = json.loads(text)
            if kind == "stdin":
                await self.send_bytes(values[0].encode("utf-8", "replace"))
            elif kind == "resize":
                width, height = (_side(key, values[0][key]) for key in _USUAL)
                await self.set_terminal_size(width, height)
            elif kind == "ping":
                await self._socket.send_json(["pong", values[0]])
            elif kind == "blur":
                await self.blur()
            elif kind == "focus":
                await self.focus()

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        """Ours, but nothing that would have Python import from elsewhere."""
        full = super()._build_environment(width, height)
        kept = {key: value for key, value in full.items() if not key.startswith("PYTHON")}
        return {"HANGTUI_THEME": "textual-dark", **kept}

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        """By its words, never through a shell; in our folder, where `e` writes."""
        self._process = process = await create_subprocess_exec(
            *self._words,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self._build_environment(width, height),
        )
        assert process.stdin is not None
        self._stdin = process.stdin
        return process


def _side(name: str, cells: object) -> int:
    if not isinstance(cells, int) or cells < _SMALLEST:
        return _USUAL[name]
    return min(cells, _LARGEST)
