"""`hangtui serve` in a hostile folder, and whoever has the address or only a part of the secret."""

import asyncio
import http.cookiejar
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hangtui.cli.serve import SESSIONS
from tests.procfs import state_of, tracer_of
from tests.serving import (
    answer,
    let_in,
    plain,
    press,
    read_until,
    serving,
    serving_in,
    wait_for,
    window,
)
from tests.waiting import until

if TYPE_CHECKING:
    from aiohttp import ClientWebSocketResponse

CAPTURE = Path(__file__).parents[2] / "snapshots" / "story_a_rwlock_gil.hang"
RING = "rwlock context_lock → launcher rwlock_gil.py:18"
_TARGET = """
import threading
lock = threading.Lock()
lock.acquire()
print("ready", flush=True)
lock.acquire()
"""


@contextmanager
def deadlocked() -> Iterator[int]:
    """A process that waits for itself; its PID."""
    with subprocess.Popen([sys.executable, "-c", _TARGET], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            process.kill()


def children_of(parent: int) -> list[int]:
    """PIDs of the processes that a process has started."""
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    return [int(pid) for task in tasks for pid in task.read_text().split()]


def served() -> list[Path]:
    """The processes of the open windows of the server that runs."""
    started = [Path(f"/proc/{pid}") for pid in children_of(os.getpid())]
    (server,) = (path for path in started if b"\0serve\0" in (path / "cmdline").read_bytes())
    return [Path(f"/proc/{pid}") for pid in children_of(int(server.name))]


def started_for(window: Path) -> bytes:
    """The command lines of what a window's process has started."""
    paths = [Path(f"/proc/{pid}/cmdline") for pid in children_of(int(window.name))]
    return b"".join(path.read_bytes() for path in paths)


async def test_nothing_is_imported_from_a_folder_of_others(tmp_path: Path) -> None:
    marker, folder = tmp_path / "PWNED", tmp_path / "shared"
    folder.mkdir()
    code = f"open({str(marker)!r}, 'w')\n"
    for name in ("hangtui", "textual", "rich", "msgspec", "json", "sitecustomize", "usercustomize"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(code)
        (folder / name / "__main__.py").write_text(code)
    folder.chmod(0o1777)
    with deadlocked() as pid, serving_in(folder, str(pid)) as (port, token, said):
        assert any(str(folder) in line for line in said)
        async with window(port, token) as socket:
            await read_until(socket, str(pid))
            await press(socket, "2", "l")
            await read_until(socket, "Python locals")
            (child,) = served()
            words = (child / "cmdline").read_bytes()
            environment = (child / "environ").read_bytes()
    assert not marker.exists()
    assert b"\0-P\0-E\0" in words
    assert token.encode() not in words + environment
    assert b"PYTHON" not in environment


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", ["$(touch PWNED).hang", "'; touch PWNED; '.hang", "-x y.hang"])
async def test_the_name_of_a_file_is_no_command(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(CAPTURE.read_bytes())
    with serving_in(tmp_path, f"./{name}") as (port, token, _):
        async with window(port, token) as socket:
            assert RING in await read_until(socket, RING)
    assert os.listdir(tmp_path) == [name]


async def test_whoever_has_the_address_runs_nothing_and_stops_nothing(tmp_path: Path) -> None:
    with deadlocked() as pid, serving_in(tmp_path, str(pid)) as (port, token, said):
        assert "they stop no process" in "".join(said)
        assert "they run no command" in "".join(said)
        async with window(port, token) as socket:
            await read_until(socket, str(pid))
            await press(socket, "2", "P")
            await read_until(socket, "There is no console here")
            # Without a console these are keys of the screens: its "e" writes the report's files.
            await press(socket, *"shell touch ROOT", "\r")
            await asyncio.to_thread(until, lambda: any(tmp_path.glob("*.json")))
        async with window(port, token) as socket:
            await read_until(socket, str(pid))
            await press(socket, "2", "A")
            await read_until(socket, "No process is stopped from here")
            await press(socket, "y", "x")
            await read_until(socket, "not even for milliseconds")
            assert served()
            assert not [one for one in served() if b"gdb\0" in started_for(one)]
        assert (tracer_of(pid), state_of(pid)) == (0, "S")
    assert not (tmp_path / "ROOT").exists()


async def test_stopping_has_to_be_asked_for(tmp_path: Path) -> None:
    with deadlocked() as pid, serving_in(tmp_path, "--allow-stop", str(pid)) as (port, token, said):
        assert "they may stop processes" in "".join(said)
        async with window(port, token) as socket:
            await read_until(socket, str(pid))
            await press(socket, "2", "A")
            await read_until(socket, "Stop process")
            await press(socket, "y")
            await asyncio.to_thread(until, lambda: state_of(pid) == "t")
            await press(socket, "P")
            await read_until(socket, "There is no console here")
        await asyncio.to_thread(until, lambda: state_of(pid) == "S")
        assert tracer_of(pid) == 0


async def test_a_shell_has_to_be_asked_for_and_says_what_it_is(tmp_path: Path) -> None:
    marker = tmp_path / "asked-for"
    with deadlocked() as pid, serving_in(tmp_path, "--allow-console", str(pid)) as served:
        port, token, said = served
        assert "a shell as" in "".join(said)
        async with window(port, token) as socket:
            await read_until(socket, str(pid))
            await press(socket, "2", "P")
            await read_until(socket, "a shell as")
            await press(socket, *f"shell touch {marker}", "\r")
            await asyncio.to_thread(until, marker.exists)


async def drained(socket: "ClientWebSocketResponse") -> None:
    """Take whatever comes, until the end."""
    async for _ in socket:
        pass


@pytest.mark.parametrize("windows", [2, pytest.param(SESSIONS, marks=pytest.mark.thorough)])
async def test_there_is_room_for_so_many_windows(windows: int) -> None:
    with serving(str(CAPTURE), windows=windows) as (port, token):
        folder, cookie = let_in(port, token)
        readers = []
        async with AsyncExitStack() as stack:
            for _ in range(windows - 1):
                opened = await stack.enter_async_context(window(port, token))
                # A browser answers pings, which aiohttp does while it waits for something.
                readers.append(asyncio.create_task(drained(opened)))
            async with window(port, token) as socket:
                await read_until(socket, RING)
                readers.append(asyncio.create_task(drained(socket)))
                assert len(served()) == windows
                full = await asyncio.to_thread(answer, port, folder, Cookie=cookie)
                assert full.status == 503
                aiohttp = pytest.importorskip("aiohttp")
                with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
                    await stack.enter_async_context(window(port, token))
                assert len(served()) == windows
            # The one that was closed makes room.
            async with window(port, token) as socket:
                await read_until(socket, RING)
                assert len(served()) == windows
        await asyncio.gather(*readers)
        await asyncio.to_thread(until, lambda: not served())


async def test_the_process_of_a_window_that_does_not_end_is_killed() -> None:
    with serving(str(CAPTURE)) as (port, token):
        async with window(port, token) as socket:
            await read_until(socket, RING)
            (child,) = served()
            os.kill(int(child.name), signal.SIGSTOP)
        await asyncio.to_thread(until, lambda: not served())


async def test_a_browser_may_say_anything() -> None:
    with serving(str(CAPTURE)) as (port, token):
        async with window(port, token, size="width=99999999&height=-3") as socket:
            await read_until(socket, "launcher")
            for said in ("{", "[]", "7", "[1]", '["stdin"]', '["stdin", 7]', '["resize", {}]'):
                await socket.send_str(said)
            await socket.send_str('["resize", {"width": 1e99, "height": null}]')
            await socket.send_bytes(b"\xff")
            await socket.send_json(["resize", {"width": 100, "height": 10**9}])
            await socket.send_json(["ping", 5])
            async for message in socket:
                if message.type is not message.type.BINARY:
                    break
            assert message.json() == ["pong", 5]
            await socket.send_json(["resize", {"width": 120, "height": 40}])
            await press(socket, "4")
            assert "WHY WE SAY SO" in plain(await read_until(socket, "WHY WE SAY SO"))


def test_a_stranger_s_request_prints_nothing(tmp_path: Path) -> None:
    """It knows no token; whoever runs the server has its terminal for himself."""
    script = (
        "import os, sys; os.dup2(os.open(sys.argv.pop(1), os.O_WRONLY | os.O_CREAT, 0o600), 2);"
        "from hangtui.cli.serving import TokenServer;"
        "TokenServer(['false'], '127.0.0.1', int(sys.argv[1]), 'token', 1).serve()"
    )
    pytest.importorskip("textual_serve")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    printed, root = tmp_path / "printed", Path(__file__).parents[2]
    command = [sys.executable, "-c", script, str(printed), str(port)]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL) as process:
        try:
            wait_for(port)
            for request in (b"GET / HTTP/1.1\r\nCookie: \0\r\n\r\n", b"GET /" + b"a" * 9000):
                with socket.create_connection(("127.0.0.1", port), 10) as connection:
                    connection.sendall(request + b"\r\n\r\n")
                    assert b" 400 " in connection.recv(1000)
        finally:
            process.terminate()
    assert printed.read_bytes() == b""


def test_two_pages_at_once_are_none_of_ours() -> None:
    with serving(str(CAPTURE)) as (port, token):
        folder, cookie = let_in(port, token)
        own = f"Origin: http://127.0.0.1:{port}"
        for origins, expected in (((own,), b" 200 "), ((own, "Origin: http://x"), b" 403 ")):
            lines = (f"GET {folder} HTTP/1.1", f"Host: 127.0.0.1:{port}", *origins)
            request = "\r\n".join((*lines, f"Cookie: {cookie}", "", ""))
            with socket.create_connection(("127.0.0.1", port), 10) as connection:
                connection.sendall(request.encode())
                assert expected in connection.recv(100)


def test_a_server_on_another_port_gets_no_cookie() -> None:
    with serving(str(CAPTURE)) as (port, token):
        jar = http.cookiejar.CookieJar()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        page = opener.open(f"http://127.0.0.1:{port}/?token={token}", timeout=20)
        assert page.status == 200
        assert len(jar) == 1
        for path in ("", "x", "static/js/textual.js"):
            request = urllib.request.Request(f"http://127.0.0.1:{port + 1}/{path}")
            jar.add_cookie_header(request)
            assert request.get_header("Cookie") is None
        # Nor is it good for anything under another port, nor without the folder's name.
        (cookie,) = jar
        folder, _ = let_in(port, token)
        for name in (cookie.name, f"hangtui-{port + 1}"):
            stolen = f"{name}={cookie.value}"
            assert answer(port, folder, Cookie=stolen, Host=f"127.0.0.1:{port + 1}").status == 403
        assert answer(port, "/", Cookie=f"{cookie.name}={cookie.value}").status == 403
        assert token not in str(cookie.value)
