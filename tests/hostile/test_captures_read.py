"""Captures, logs and core files that somebody made up: each ends in one line, soon and small."""

import gzip
import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hangtui import capture_file
from hangtui.cli.files import load
from hangtui.model import (
    Capture,
    Certainty,
    Evidence,
    Hold,
    InputError,
    NodeId,
    NodeKind,
    Process,
    PythonInfo,
    Resource,
    Source,
    Thread,
    Wait,
    resource_id,
    thread_id,
)
from tests.hostile.attacks import ROOT

HEAD = b'{"schema":"hangtui.capture/1","taken_at":"2026-01-01T00:00:00+00:00","host":"h",'
MEMORY = 1 << 30
_MEASURED = """
import resource, sys
from hangtui.cli.main import main
code = main(["dump", sys.argv[1]])
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
print(f"PEAK {peak}", file=sys.stderr)
sys.exit(code)
"""


def dumped(path: Path, limit_s: float = 60) -> tuple[int, str, int]:
    """What ``dump`` makes of a file: its exit code, its message, and its peak of memory."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", _MEASURED, path],
        capture_output=True,
        text=True,
        timeout=limit_s,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    message, _, peak = done.stderr.rpartition("PEAK ")
    assert "Traceback" not in message, message
    return done.returncode, message.strip(), int(peak)


def packed(path: Path, *parts: bytes) -> Path:
    """A capture put together from *parts*, at the least cost."""
    with gzip.open(path, "wb", 1) as file:
        for part in parts:
            file.write(part)
    return path


PROCESS = b'"processes":[{"pid":1,"ppid":1,"state":"S","cmdline":['
THREAD = PROCESS + b'],"threads":[{"pid":1,"tid":1,"name":"","state":"S","native_stack":['
MANY = 1 << 20
BOMBS: dict[str, Callable[[], tuple[bytes, ...]]] = {  # megabytes each: made for its test alone
    "unknown lists": lambda: (HEAD, b'"x":[', *[b"[]," * MANY] * 60, b"0]}"),
    "unknown lists that fit": lambda: (HEAD, b'"x":[', *[b"[]," * MANY] * 7, b"0]}"),
    "unknown objects": lambda: (HEAD, b'"x":[', *[b"{}," * MANY] * 4, b"0]}"),
    "known texts": lambda: (HEAD, b'"pending":[', *[b'"",' * MANY] * 7, b'""]}'),
    "arguments": lambda: (HEAD, PROCESS, *[b'"ab",' * MANY] * 7, b'""]}]}'),
    "notices": lambda: (
        HEAD,
        b'"notices":[',
        b'{"source":"","message":""},' * 400_000,
        b'{"source":"a"}]}',
    ),
    "frames": lambda: (
        HEAD,
        THREAD,
        b'{"function":"f","module":null,"address":1},' * 400_000,
        b'{"function":"f","module":null,"address":1}]}]}]}',
    ),
    "one text": lambda: (HEAD, b'"origin":"', *[b"\\u202e" * MANY] * 18, b'"}'),
    "one wide text": lambda: (
        HEAD,
        b'"origin":"',
        *[b"a" * MANY] * 120,
        "\U0001f600".encode(),
        b'"}',
    ),
    "keys": lambda: (HEAD, *(b'"%d":1,' % i for i in range(MANY)), b'"z":1}'),
    "depth": lambda: (HEAD, b'"x":', b"[" * (16 * MANY)),
    "spaces": lambda: (HEAD, b'"x":', *[b" " * (64 * MANY)] * 3),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_takes_little_memory(tmp_path: Path, kind: str) -> None:
    path = packed(tmp_path / "x.hang", *BOMBS[kind]())
    code, message, peak = dumped(path)

    assert code == 2
    assert message.startswith("hangtui: ")
    assert message.count("\n") <= 1
    assert peak < MEMORY


def test_a_file_of_thousands_of_empty_parts_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "x.hang"
    path.write_bytes(gzip.compress(b"") * 300_000)

    with pytest.raises(InputError, match="too many parts"):
        load(str(path))


def thread(**values: object) -> bytes:
    fields = {"pid": 1, "tid": 1, "name": '""', "state": '"S"', **values}
    text = ",".join(f'"{name}":{value}' for name, value in fields.items())
    return PROCESS + b'],"threads":[{' + text.encode() + b"}]}]}"


@pytest.mark.parametrize(
    "rest",
    [
        thread(tid=10**30),
        thread(tid=-(10**30)),
        thread(tid=2**31),
        thread(tid="1e5"),
        thread(tid='"one"'),
        thread(still_ms="NaN"),
        thread(still_ms="1e999"),
        thread(still_ms="1e300"),
        thread(still_ms="Infinity"),
        thread(name=r'"\ud800"'),
        thread(name='"\x00"'),
        thread(gil='"never"'),
        thread(native_stack='[{"function":null,"module":null,"address":18446744073709551616}]'),
        b'"host":"\xff"}',
        b'"waits":[{"waiter":"thread","target":"x","evidence":null}]}',
        (
            b'"waits":[{"waiter":"thread:1:1","target":"nowhere","evidence":{"source":"futex",'
            b'"certainty":"certain","text":""}}]}'
        ),
        b'"schema":7}',
        b'"schema":"hangtui.capture/2"}',
        b'"schema":"hangtui.capture/' + b"9" * 5000 + b'"}',
        b'"schema":"hangtui.capture/\xd9\xa1"}',
        b'"taken_at":"0001-01-01T00:00:00+00:00"}',
    ],
)
def test_values_that_cannot_be_are_refused(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "x.hang"
    path.write_bytes(HEAD + rest)

    with pytest.raises(InputError) as caught:
        load(str(path))
    assert len(caught.value.message) < 500
    assert caught.value.message.isprintable()


def test_the_last_of_two_equal_keys_counts_in_every_look(tmp_path: Path) -> None:
    path = tmp_path / "x.hang"
    path.write_bytes(HEAD + b'"schema":"other/1","schema":"hangtui.capture/1","host":"last"}')

    assert load(str(path)).host == "last"


CERTAIN = Evidence(Source.FUTEX, Certainty.CERTAIN, "read")
NUMBER = 3_000


def _thread(tid: int) -> Thread:
    return Thread(1, tid, f"t{tid}", "S", still=True, python_stack=(), is_python=True)


def _capture(threads: int, resources: int, waits: Iterator[Wait], holds: Iterator[Hold]) -> Capture:
    made = tuple(_thread(number) for number in range(1, threads + 1))
    process = Process(1, 0, ("python",), "S", python=PythonInfo("3.13.0"), threads=made)
    locks = tuple(
        Resource(_lock(one), NodeKind.LOCK, f"lock {one}", 1, one)
        for one in range(1, resources + 1)
    )
    return Capture("2026-01-01T00:00:00+00:00", "h", (process,), locks, tuple(waits), tuple(holds))


def _lock(number: int) -> NodeId:
    return resource_id(NodeKind.LOCK, 1, number)


def _wait(tid: int, lock: int) -> Wait:
    return Wait(thread_id(1, tid), _lock(lock), CERTAIN)


def _hold(lock: int, tid: int) -> Hold:
    return Hold(_lock(lock), thread_id(1, tid), CERTAIN)


def chain() -> Capture:
    """Each waits for the next, and the last for nobody."""
    numbers = range(1, NUMBER + 1)
    waits = (_wait(one, one + 1) for one in numbers[:-1])
    return _capture(NUMBER, NUMBER, waits, (_hold(one, one) for one in numbers))


def self_deadlocks() -> Capture:
    """Each waits for itself."""
    numbers = range(1, NUMBER + 1)
    waits, holds = (_wait(n, n) for n in numbers), (_hold(n, n) for n in numbers)
    return _capture(NUMBER, NUMBER, waits, holds)


def queue_behind_each() -> Capture:
    """A quarter waits for itself, one waits for all of them, and all others for that one."""
    few, x, y = NUMBER // 4, NUMBER + 1, NUMBER + 2
    waits = [_wait(n, n) for n in range(1, few + 1)] + [_wait(few + 1, x)]
    waits += [_wait(n, y) for n in range(few + 2, NUMBER + 1)]
    holds = [_hold(n, n) for n in range(1, few + 1)] + [_hold(x, n) for n in range(1, few + 1)]
    return _capture(NUMBER, y, iter(waits), iter([*holds, _hold(y, few + 1)]))


def five_each() -> Capture:
    """One ring in which each has five ways to go."""
    some = NUMBER // 2
    pairs = [(n, (n * 7 + k) % some + 1) for n in range(1, some + 1) for k in range(5)]
    return _capture(some, some, (_wait(*p) for p in pairs), (_hold(*p) for p in pairs))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("made", [chain, self_deadlocks, queue_behind_each, five_each])
def test_a_capture_of_thousands_of_waits_is_judged_soon(
    tmp_path: Path, made: Callable[[], Capture]
) -> None:
    path = tmp_path / "x.hang"
    capture_file.save(made(), path)
    started = time.monotonic()
    code, message, peak = dumped(path, 100)

    assert code == 0, message
    assert time.monotonic() - started < 60  # 3 s alone; it took minutes while it was quadratic
    assert peak < MEMORY


def test_a_wall_of_waiters_and_holders_is_refused(tmp_path: Path) -> None:
    waits = (_wait(n, 1) for n in range(1, 2000))
    holds = (_hold(1, n) for n in range(1, 2000))
    path = tmp_path / "x.hang"
    capture_file.save(_capture(2000, 1, waits, holds), path)

    with pytest.raises(InputError, match="pairs of waits and holds"):
        load(str(path))


# -- what is no file, or another one at each look -------------------------------------------------


def test_a_fifo_that_nobody_writes_into_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hangtui.cli.given._PATIENCE_S", 0.5)
    os.mkfifo(tmp_path / "x.hang")

    with pytest.raises(InputError, match="nobody has written into this pipe"):
        load(str(tmp_path / "x.hang"))


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/random", "/dev/null"])
def test_a_device_is_not_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.log").symlink_to(name)

    with pytest.raises(InputError, match="a device"):
        load(str(tmp_path / "x.log"))


def test_what_comes_through_a_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.hang"
    capture_file.save(chain(), path)
    reading, writing = os.pipe()

    def feed() -> None:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(path.read_bytes())

    feeder = threading.Thread(target=feed)
    feeder.start()
    capture = load(f"/dev/fd/{reading}")
    feeder.join()
    os.close(reading)

    assert len(capture.threads()) == NUMBER
    assert capture.origin is None


def test_a_file_that_is_swapped_all_the_time_never_stops_us(tmp_path: Path) -> None:
    path, fifo, good = tmp_path / "x.hang", tmp_path / "fifo", tmp_path / "good"
    os.mkfifo(fifo)
    capture_file.save(_capture(3, 3, iter(()), iter(())), good)
    script = (
        "import os, sys; n = 0\n"
        "while True:\n"
        "    n += 1; new = f'{sys.argv[1]}.{n}'\n"
        "    os.link(sys.argv[2 + n % 2], new); os.replace(new, sys.argv[1])\n"
    )
    swapper = subprocess.Popen([sys.executable, "-c", script, path, fifo, good])
    try:
        outcomes = set()
        while not path.exists():
            assert swapper.poll() is None
        for _ in range(2_000):
            try:
                capture_file.load(path)
                outcomes.add("read")
            except InputError as error:
                outcomes.add(error.message.rpartition(": ")[2])
    finally:
        swapper.kill()
        swapper.wait()

    assert outcomes == {"read", "it is a FIFO, not a file"}


# -- core files and logs --------------------------------------------------------------------------


def core(notes: bytes, headers: int = 1) -> bytes:
    """A core file with the same notes under *headers* headers."""
    head = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 4, 62, 1, 0, 64, 0, 0, 64, 56, headers, 0, 0, 0
    )
    at = 64 + 56 * headers
    table = struct.pack("<IIQQQQQQ", 4, 0, at, 0, 0, len(notes), 0, 0) * headers
    return head + table + notes


def note(kind: int, body: bytes) -> bytes:
    return struct.pack("<III", 5, len(body), kind) + b"CORE\0\0\0\0" + body


CORES = {
    "threads": lambda: core(note(1, bytes(336)) * 100_000),
    "names of files": lambda: core(
        note(0x46494C45, struct.pack("<QQ", 1, 1) + bytes(1 << 24)) * 4, 2
    ),
    "auxiliary vector": lambda: core(note(6, bytes(1 << 26))),
    "empty notes": lambda: core(bytes(12) * 5_000_000, 2),
    "headers": lambda: core(note(1, bytes(336)), 60_000),
}


@pytest.mark.parametrize("kind", CORES)
def test_a_core_file_with_too_many_notes_ends_soon(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "core"
    path.write_bytes(CORES[kind]())
    code, message, peak = dumped(path)

    assert code in (0, 2), message
    assert peak < MEMORY


@pytest.mark.parametrize("end", ["\n", "\r", "\x85", "\u2028"])
def test_a_log_of_nothing_but_lines_ends_soon(tmp_path: Path, end: str) -> None:
    path = packed(tmp_path / "x.log.gz", b"x", (end * MANY).encode() * (60 // len(end.encode())))
    code, message, peak = dumped(path)

    assert code == 2
    assert "not supported" in message
    assert peak < MEMORY
