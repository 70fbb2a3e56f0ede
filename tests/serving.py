"""A running `hangtui serve`."""

import asyncio
import http.client
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hangtui.cli.serve import SESSIONS
from tests.waiting import LIMIT_S, until

if TYPE_CHECKING:
    from aiohttp import ClientWebSocketResponse

ROOT = Path(__file__).parents[1]


FEWER = (
    "import sys; from hangtui.cli import main, serve; serve.SESSIONS = {}; main.main(sys.argv[1:])"
)


@contextmanager
def serving(*words: str, windows: int = SESSIONS) -> Iterator[tuple[int, str]]:
    """A running server with room for so many windows: its port and its token."""
    with serving_in(ROOT, *words, windows=windows) as (port, token, _said):
        yield port, token


@contextmanager
def serving_in(
    folder: Path, *words: str, windows: int = SESSIONS
) -> Iterator[tuple[int, str, list[str]]]:
    """The same, started in *folder*; and the lines that it says at its start."""
    pytest.importorskip("textual_serve")
    start = ("-m", "hangtui") if windows == SESSIONS else ("-c", FEWER.format(windows))
    command = [sys.executable, "-P", *start, "serve", "--port", "0", *words]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=folder
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            match = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\S+)", line)
            assert match, line
            said = [line]
            while "^C ends it" not in said[-1]:
                said.append(process.stderr.readline())
                assert said[-1]
            wait_for(int(match[1]))
            yield int(match[1]), match[2], said
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def let_in(port: int, token: str) -> tuple[str, str]:
    """The folder of the pages, and the cookie that opens it, as a browser gets them."""
    welcome = answer(port, f"/?token={token}")
    assert welcome.status == 302
    return welcome.headers["Location"], welcome.headers["Set-Cookie"].partition(";")[0]


def plain(data: str) -> str:
    """*data* without what moves the cursor and colours."""
    return re.sub(r"\x1b(\[[0-9;?<>=]*[a-zA-Z]|\][^\x07\x1b]*(\x07|\x1b\\))", "", data)


async def read_until(socket: "ClientWebSocketResponse", word: str) -> str:
    """What the screens wrote, up to *word*."""
    data = b""
    async with asyncio.timeout(LIMIT_S):
        while word not in plain(data.decode(errors="replace")):
            data += await socket.receive_bytes()
    return plain(data.decode(errors="replace"))


@asynccontextmanager
async def window(
    port: int, token: str, *, size: str = "width=120&height=40"
) -> "AsyncIterator[ClientWebSocketResponse]":
    """The WebSocket of a browser window."""
    aiohttp = pytest.importorskip("aiohttp")
    folder, cookie = await asyncio.to_thread(let_in, port, token)
    url = f"ws://127.0.0.1:{port}{folder}ws?{size}"
    headers = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port}"}
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(url, headers=headers) as socket,
    ):
        yield socket


async def press(socket: "ClientWebSocketResponse", *keys: str) -> None:
    """Keys, one after the other."""
    for key in keys:
        await socket.send_json(["stdin", key])


def wait_for(port: int) -> None:
    """Until somebody answers."""

    def answers() -> bool:
        with suppress(OSError):
            answer(port, "/")
            return True
        return False

    until(answers)


def answer(port: int, path: str, **headers: str) -> http.client.HTTPResponse:
    """The answer to one request; an underscore in a header's name stands for a hyphen."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    fixed = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("GET", path, headers=fixed)
    response = connection.getresponse()
    response.read()
    connection.close()
    return response
