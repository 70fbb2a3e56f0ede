"""Feeds hangtui what strangers could make up.

That is captures, logs, core files, lists of packages and answers of gdb, damaged with a plan or at
random.

    python tests/endurance/foreign.py [--seconds N] [--first SEED] [--kinds capture log ...]
                                      [--keep FOLDER]

Each input is read by a process of its own making, under a limit of address space (LIMIT_BYTES) and
of time (LIMIT_S). It may be read or refused in the known way; anything else is a failure: another
error, more time, more memory. What fails is kept in FOLDER, and a summary is printed at the end.
Exits with 1 if anything failed. tests/integration/test_foreign.py runs a few seeds.
"""

import argparse
import contextlib
import gzip
import json
import os
import random
import resource
import select
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hangtui.model import InputError, UsageError
from tests.endurance import crash_input

LIMIT_S = 30.0
"""Of processor time for one input; ordinary ones take a tenth of a second."""
LIMIT_BYTES = 2 << 30
"""Of address space, the program itself among it."""
_BATCH = 40
"""Inputs for one process: then a fresh one, whose memory nothing has fragmented."""
_SNAPSHOTS = Path(__file__).resolve().parents[2] / "snapshots"


class TooLongError(BaseException):
    """The limit of time is exceeded; nothing on the way may catch it."""


# -- making inputs --------------------------------------------------------------------------------


@cache
def captures() -> tuple[object, ...]:
    """The captures of the screens' tests, as plain values."""
    files = sorted(_SNAPSHOTS.glob("*.hang"))
    return tuple(json.loads(gzip.decompress(path.read_bytes())) for path in files)


_STRANGE: tuple[object, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**31 - 1, 2**63, 2**64 - 1, 2**64, 10**30, -(10**30)),
    *(
        0.5,
        -1.5,
        1e18,
        1e300,
        "",
        "x",
        "\x00",
        "\x1b[31m",
        "\u202e",
        "\U0001f600" * 300,
        "a" * 5000,
    ),
    *("thread:1:1", "thread:1", "process:1", "lock:1:0x1", "gil:0:0x0", "thread:9999999999:1"),
    *("Traceback", "/a/b.py:1", "[red]x[/red]", "`x` | y <b>", "\n\n# x", "a:b:c:d", "S", "Z"),
    *([], {}, [[]], [{}], {"a": 1}, [1, 2], ["x"] * 50),
)


def capture(chance: random.Random) -> bytes:
    """A capture of which some values are others, twice there, gone, or swapped."""
    made = deepcopy(chance.choice(captures()))
    for _ in range(chance.choice((1, 1, 3, 10, 40))):
        places = list(_places(made))
        holder, key = chance.choice(places)
        action = chance.random()
        if action < 0.45:
            # Most of the time of the same type, since another one ends it at once.
            like = [one for one in _STRANGE if type(one) is type(holder[key])]
            choices = like if like and chance.random() < 0.9 else _STRANGE
            holder[key] = deepcopy(chance.choice(choices))
        elif action < 0.6 and isinstance(holder, list):
            holder.extend(deepcopy(holder[:200]) * chance.choice((1, 2, 5)))
        elif action < 0.75:
            other, other_key = chance.choice(places)
            with contextlib.suppress(KeyError, IndexError):
                holder[key] = deepcopy(other[other_key])
        elif action < 0.77:
            del holder[key]
        elif isinstance(holder, dict):
            holder[chance.choice(("x", "pid", "threads", "waits"))] = deepcopy(
                chance.choice(_STRANGE)
            )
    data = json.dumps(made).encode()
    return gzip.compress(data, 1) if chance.random() < 0.5 else data


def _places(value: object) -> list[tuple[Any, Any]]:
    """Each object or list in *value* with each of its keys."""
    found: list[tuple[Any, Any]] = []
    pending = [value]
    while pending and len(found) < 20_000:
        one = pending.pop()
        if isinstance(one, dict):
            found += [(one, key) for key in one]
            pending += one.values()
        elif isinstance(one, list):
            found += [(one, index) for index in range(len(one))]
            pending += one
    return found or [({"x": 1}, "x")]


def raw_capture(chance: random.Random) -> bytes:
    """A capture's bytes, damaged before or after they are packed."""
    data = json.dumps(chance.choice(captures())).encode()
    damage = chance.choice(crash_input.DAMAGES)
    if chance.random() < 0.5:
        return gzip.compress(damage(data, chance), 1)
    packed = damage(gzip.compress(data, 1), chance)
    return packed * chance.choice((1, 1, 3))


@cache
def _real(kind: str) -> bytes:
    """A log or a core file of a real crash."""
    with tempfile.TemporaryDirectory(prefix="hangtui-foreign-") as name:
        make = crash_input.crash_log if kind == "log" else crash_input.core_file
        path = make(Path(name))
        return path.read_bytes() if path is not None else b""


_GDB_LOG = b"""Thread 2 (Thread 0x7f0 (LWP 12) "worker"):
#0  0x00007f12 in futex_wait (private=0, expected=2) at ../sysdeps/nptl/futex-internal.h:146
#1  PyThread_acquire_lock_timed (lock=0x1) at Python/thread_pthread.h:5
Thread 1 (Thread 0x7f1 (LWP 11) "python"):
#0  __libc_read (fd=0) at x.c:1
"""
_SPY_LOG = b"""Process 11: python a.py
Python v3.11.7 (/usr/bin/python3.11)

Thread 11 (idle): "MainThread"
    acquire (threading.py:1)
    main (a.py:9)
"""
_SPY_JSON = b"""[{"pid": 1, "thread_id": 1, "thread_name": "a", "os_thread_id": 11, "active": false,
"owns_gil": false, "frames": [{"name": "f", "filename": "a.py", "line": 1, "locals": null}]}]"""


def log(chance: random.Random) -> bytes:
    """A log of one of the kinds, damaged, and some of its parts thousands of times."""
    data = chance.choice((_real("log"), _real("log"), _GDB_LOG, _SPY_LOG, _SPY_JSON))
    for _ in range(chance.choice((1, 2, 5))):
        if chance.random() < 0.6:
            data = chance.choice(crash_input.DAMAGES)(data + bytes(16), chance)
        else:
            start = chance.randrange(len(data) + 1)
            part = data[start : start + chance.randrange(1, 60)]
            times = chance.choice((2, 50, 5_000, 100_000))
            data = data[:start] + part * times + data[start:]
        data = data[: 4 << 20]
    return gzip.compress(data, 1) if chance.random() < 0.2 else data


def core(chance: random.Random) -> bytes:
    """A core file of which the headers and notes are damaged most of all."""
    data = _real("core")
    if not data:
        return b"\x7fELF\x02\x01\x01" + chance.randbytes(chance.randrange(4000))
    return chance.choice(crash_input.DAMAGES)(data, chance)


_RECORD = b"pkg/__init__.py,sha256=abc,12\npkg/a.py,,\npkg-1.0.dist-info/RECORD,,\n"
_DPKG_STATUS = b"Package: libc6\nStatus: install ok installed\nVersion: 2.36-9\n\nPackage: x\n"
_DPKG_LIST = b"/.\n/usr\n/usr/lib\n/usr/lib/libc.so.6\n"


def _grown(data: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.3:
        data *= chance.choice((10, 1000, 50_000))
    damaged = chance.choice(crash_input.DAMAGES)(data + bytes(16), chance)
    return damaged[: 8 << 20]


def record(chance: random.Random) -> bytes:
    """A RECORD of a distribution."""
    return _grown(_RECORD, chance)


def dpkg(chance: random.Random) -> bytes:
    """dpkg's status, or a list of files."""
    return _grown(chance.choice((_DPKG_STATUS, _DPKG_LIST)), chance)


_ANSWERS = (
    b'12^done,threads=[{id="1",target-id="Thread 0x7f (LWP 11)",name="a",state="stopped"}]',
    b'^done,stack=[frame={level="0",addr="0x1",func="f<int>",file="a.c",fullname="/a.c",line="1"}]',
    b'^done,asm_insns=[{address="0x1",func-name="f",offset="4",inst="mov (%rax),%rbx"}]',
    b'^done,register-values=[{number="0",value="0x10"}],register-names=["rax","rbx"]',
    b'^done,variables=[{name="a",type="int *",value="(int *) 0x1",arg="1"}]',
    b'^done,shared-libraries=[{id="/lib/x.so",target-name="/lib/x.so",ranges=[{from="0x1",to="0x2"}]}]',
    b'^error,msg="No symbol \\"x\\" in current context."',
    b'~"#0  0x00007f f (x=1) at a.c:1\\n"',
)


def answer(chance: random.Random) -> bytes:
    """A line of gdb's machine interface."""
    line = bytearray(chance.choice(_ANSWERS))
    for _ in range(chance.choice((0, 1, 3, 20))):
        at = chance.randrange(len(line) + 1)
        part = chance.choice(
            (b"{", b"}", b"[", b"]", b'"', b"\\", b",", b"=", b"\\033", b"<", b"0x")
        )
        if chance.random() < 0.3 and line:
            del line[at : at + chance.randrange(1, 20)]
        else:
            line[at:at] = part * chance.choice((1, 1, 5, 2_000, 30_000))
    return bytes(line)


# -- reading them ---------------------------------------------------------------------------------


def read_file(path: Path) -> str:
    """Load a file and make every report of it."""
    from hangtui.cli.files import load
    from hangtui.diagnosis import diagnose
    from hangtui.report.dot import to_dot
    from hangtui.report.json_report import to_json
    from hangtui.report.markdown import to_markdown
    from hangtui.report.mermaid import to_mermaid
    from hangtui.report.text_report import to_text
    from hangtui.tui.session import CaptureView, Session

    try:
        loaded = diagnose(load(str(path)))
    except (InputError, UsageError) as error:
        _require_short_and_clean(error.message)
        return "refused"
    for report in (to_json, to_text, to_markdown, to_mermaid, to_dot):
        text = report(loaded)
        assert not set(map(chr, (*range(9), *range(11, 32), 127))) & set(text), (
            "a control character"
        )
        text.encode()
    view = CaptureView.of(loaded.capture)
    assert not view.mistakes, view.mistakes
    failed = [
        f.sentence for f in view.findings if f.id == "rule-failed" and "look for" in f.sentence
    ]
    assert not failed, failed
    Session().arrived(view, grows=False)
    return "read"


def _require_short_and_clean(message: str) -> None:
    assert message.isprintable(), f"unprintable: {message!r}"
    assert len(message) < 1000, "a message that is far too long"


def read_record(path: Path) -> str:
    """Ask whose a file is of a distribution whose RECORD this is."""
    from hangtui.backends.door import Root
    from hangtui.backends.packages.python import package_of

    with tempfile.TemporaryDirectory(prefix="hangtui-foreign-") as name:
        info = Path(name, "lib", "python3.11", "site-packages", "pkg-1.0.dist-info")
        info.mkdir(parents=True)
        (info / "RECORD").write_bytes(path.read_bytes())
        found = package_of("/lib/python3.11/site-packages/pkg/a.py", Root.of_folder(name))
    return "found" if found else "not found"


def read_dpkg(path: Path) -> str:
    """Ask which package has a file, with these as dpkg's."""
    from hangtui.backends.door import Root
    from hangtui.backends.packages.debian import debian_packages

    with tempfile.TemporaryDirectory(prefix="hangtui-foreign-") as name:
        folder = Path(name, "var/lib/dpkg/info")
        folder.mkdir(parents=True)
        (folder.parent / "status").write_bytes(path.read_bytes())
        (folder / "libc6.list").write_bytes(path.read_bytes())
        found = debian_packages(["/usr/lib/libc.so.6"], Root.of_folder(name))
    return "found" if found else "not found"


def read_answer(path: Path) -> str:
    """Parse a line as an answer, and take from it whatever is ever taken from one."""
    from hangtui.backends.gdb import answers
    from hangtui.backends.gdb.session import parse_answer

    line = path.read_bytes()
    if line[:1] in b"~&@":
        answers.console_text([answers.printed(line)])
        return "text"
    payload = parse_answer(line).payload
    answers.thread_numbers(payload)
    answers.frames(payload)
    answers.libraries(payload)
    answers.register_numbers(payload)
    answers.variables(payload, payload)
    answers.instructions(payload, 1)
    answers.function_start(payload)
    return "parsed" if payload else "empty"


@dataclass(frozen=True, slots=True)
class Kind:
    """How inputs of one kind are made and read."""

    make: Callable[[random.Random], bytes]
    read: Callable[[Path], str]
    ending: str


KINDS = {
    "capture": Kind(capture, read_file, ".hang"),
    "raw": Kind(raw_capture, read_file, ".hang"),
    "log": Kind(log, read_file, ".log"),
    "core": Kind(core, read_file, ".core"),
    "record": Kind(record, read_record, ".RECORD"),
    "dpkg": Kind(dpkg, read_dpkg, ".list"),
    "answer": Kind(answer, read_answer, ".mi"),
}


# -- running --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """What became of all inputs."""

    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest_s: float = 0.0
    slowest: str = ""


def made(kind: str, seed: int) -> bytes:
    """The input that a seed stands for."""
    return KINDS[kind].make(random.Random(f"{kind} {seed}"))


def one(kind: str, seed: int, folder: Path) -> str:
    """Read one input in this process; what became of it, or how it failed."""
    path = folder / f"{seed}{KINDS[kind].ending}"
    path.write_bytes(made(kind, seed))
    try:
        signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
        return KINDS[kind].read(path)
    except (Exception, TooLongError) as error:  # noqa: BLE001  that is what is looked for
        lines = "".join(traceback.format_exception(error, limit=-8)).splitlines()
        return "FAILED " + "\n".join(line[:300] for line in lines)[-4000:]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        path.unlink()


def _expire(_number: int, frame: FrameType | None) -> None:
    raise TooLongError("".join(traceback.format_stack(frame, limit=12)))


def _work(pairs: list[tuple[str, int]], folder: Path, told: int) -> None:
    """Read inputs, and tell of each."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    signal.signal(signal.SIGPROF, _expire)
    for kind, seed in pairs:
        started = time.process_time()
        outcome = one(kind, seed, folder)
        line = json.dumps([kind, seed, outcome, time.process_time() - started]) + "\n"
        os.write(told, line.encode())


def batch(pairs: list[tuple[str, int]], folder: Path, keep: Path, tally: Tally) -> None:
    """Read inputs in a process of their own; what it does not survive counts as a failure."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            _work(pairs, folder, writing)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    left = list(pairs)
    with os.fdopen(reading, "rb") as told:
        # Ten times the processor time: a busy machine is no failure, a process that sleeps is one.
        while left and select.select([told], [], [], 10 * LIMIT_S)[0] and (line := told.readline()):
            kind, seed, outcome, took_s = json.loads(line)
            left.remove((kind, seed))
            _count(kind, seed, outcome, took_s, keep, tally)
    if left:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if left:
        kind, seed = left[0]
        _count(kind, seed, f"FAILED it ended or slept: status {status}", 0.0, keep, tally)


def _count(kind: str, seed: int, outcome: str, took_s: float, keep: Path, tally: Tally) -> None:
    failed = outcome.startswith("FAILED")
    tally.outcomes[f"{kind}: {'FAILED' if failed else outcome}"] += 1
    if took_s > tally.slowest_s:
        tally.slowest_s, tally.slowest = took_s, f"{kind} {seed}"
    if failed:
        keep.mkdir(parents=True, exist_ok=True)
        path = keep / f"{kind}-{seed}{KINDS[kind].ending}"
        path.write_bytes(made(kind, seed))
        path.with_suffix(".txt").write_text(outcome)
        tally.failures.append(f"{path}: {outcome}")


def run(seeds: range, kinds: list[str], deadline: float, keep: Path) -> Tally:
    """Read inputs of all kinds by turns, until the seeds or the time are used up."""
    tally = Tally()
    for kind in ("log", "core"):
        if kind in kinds:
            _real(kind)
    with tempfile.TemporaryDirectory(prefix="hangtui-foreign-") as name:
        for first in range(seeds.start, seeds.stop, _BATCH):
            for kind in kinds:
                if time.monotonic() > deadline:
                    return tally
                last = min(first + (_BATCH if kind != "core" else _BATCH // 8), seeds.stop)
                batch([(kind, seed) for seed in range(first, last)], Path(name), keep, tally)
    return tally


def main() -> int:
    """Reads inputs for as long as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--keep", type=Path, default=Path("foreign-failures"))
    options = parser.parse_args()
    seeds = range(options.first, options.first + 10**9)
    tally = run(seeds, options.kinds, time.monotonic() + options.seconds, options.keep)
    for line, count in sorted(tally.outcomes.items()):
        print(f"{count:8} {line}")
    for failure in tally.failures[:5]:
        print(failure)
    total, failed = tally.outcomes.total(), len(tally.failures)
    print(f"{total} inputs, {failed} failed; slowest {tally.slowest_s:.1f} s ({tally.slowest})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
