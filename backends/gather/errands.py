"""Runs a script in many places at once, within one deadline, and brings back what each answers."""

import asyncio
import contextlib
import os
import shlex
import signal
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import IO

from hangtui.backends.gather.place import Place
from hangtui.dataclass import dataclass
from hangtui.model import clean

MOST_BYTES = 256 * 2**20
"""Of one answer: a capture of 10,000 threads is a tenth of that."""
_PIECE = 2**16
_REASON = 4096
"""Bytes of what a program says when it fails: the last ones."""
_ABSENT = 127
"""A shell's exit status for a command that is not there (POSIX, Shell Command Language, 2.8.2)."""
_ENDING_S = 2.0

_THERE = """\
command -v {first} >/dev/null 2>&1 || exit 127
exec {sudo}{program} record {whom} --looks {looks} --native {native} -o /dev/stdout </dev/null"""

# Carried there on standard input. The folder goes with the script, whatever ends that but SIGKILL.
_CARRIED = """\
umask 077
d=$(mktemp -d "${{TMPDIR:-/tmp}}/hangtui-carried-XXXXXXXX") || exit 2
trap 'rm -rf "$d"' EXIT
trap 'exit 143' HUP INT TERM PIPE
tar -xzf - -C "$d" || exit 2
{sudo}"$d"/*/hangtui record {whom} --looks {looks} --native {native} -o /dev/stdout </dev/null"""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came from one place."""

    place: Place
    data: bytes
    """A capture, if all went well; it may be anything."""
    problem: str | None = None
    """Why there is none."""
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class Errand:
    """What is to be done everywhere."""

    native: str
    looks: int = 1
    """How often each place looks: who stands still is told by several."""
    sudo: bool = False
    carried: Path | None = None
    """A .tar.gz with hangtui and all that it needs, for places that have none."""
    within_s: float = 60.0
    at_once: int = 8
    """A server of ssh drops some of more than ten that knock at once (MaxStartups of sshd)."""


async def answers(places: Sequence[Place], errand: Errand) -> AsyncIterator[Answer]:
    """What each place answers, as it comes, and from those that did not in time that they did
    not."""
    deadline = time.monotonic() + errand.within_s
    free = asyncio.Semaphore(errand.at_once)
    tasks = [asyncio.create_task(_answer(one, errand, deadline, free)) for one in places]
    try:
        for done in asyncio.as_completed(tasks):
            yield await done
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for client in {place.client for place in places if place.client is not None}:
            client.close()


async def _answer(place: Place, errand: Errand, deadline: float, free: asyncio.Semaphore) -> Answer:
    words = {
        "sudo": "sudo -n " if errand.sudo else "",
        "native": errand.native,
        "looks": str(errand.looks),
        "whom": shlex.join(["--children", *map(str, place.pids)]) if place.pids else "--all",
        "first": shlex.quote(place.program[0]),
        "program": shlex.join(place.program),
    }
    script = _THERE.format(**words)
    try:
        async with asyncio.timeout(deadline - time.monotonic()), free:
            answer, status = await _run(place, script, None)
            if status != _ABSENT:
                return answer
            if errand.carried is None:
                return Answer(
                    place,
                    b"",
                    "hangtui is not installed there",
                    "--carry hangtui-portable.tar.gz   (script/portable --tar makes it)",
                )
            script = _CARRIED.format(**words)
            answer, _ = await _run(place, script, errand.carried)
            return answer
    except TimeoutError:
        problem = f"no answer within {errand.within_s:g} s"
        return Answer(place, b"", problem, f"--within {2 * errand.within_s:g}s")
    except OSError as error:
        return Answer(place, b"", f"{place.command('')[0]}: {error.strerror or error}")


async def _run(place: Place, script: str, stdin: Path | None) -> tuple[Answer, int]:
    """The answer to *script*, and its exit status."""
    with contextlib.ExitStack() as stack:
        given = stack.enter_context(stdin.open("rb")) if stdin else asyncio.subprocess.DEVNULL
        process = await _started(place.command(script), given)
        assert process.stdout is not None
        assert process.stderr is not None
        saying = asyncio.create_task(_last(process.stderr))
        try:
            data = await _all(process.stdout)
            said = await saying
            status = await process.wait()
        except _TooMuchError:
            return Answer(place, b"", f"it answers with more than {MOST_BYTES >> 20} MiB"), 0
        finally:
            saying.cancel()
            await _end(process)
    if status == 0:
        return Answer(place, data), status
    lines = said.decode(errors="replace").split("\n")
    told = [line for line in (clean(line, 300).strip() for line in lines) if line]
    return Answer(place, b"", told[-1] if told else f"exit status {status}"), status


async def _started(command: list[str], given: IO[bytes] | int) -> asyncio.subprocess.Process:
    """A process that runs; where the time is up meanwhile, all that it started ends with it."""
    starting = asyncio.create_task(
        asyncio.create_subprocess_exec(
            *command,
            stdin=given,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # it must not ask on our terminal, and goes with all it started
        )
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await _end(await starting)
        raise


class _TooMuchError(Exception):
    """A place answers more than any capture."""


async def _all(stream: asyncio.StreamReader) -> bytes:
    """What comes.

    Raises:
        _TooMuchError: it does not end.
    """
    data = bytearray()
    while piece := await stream.read(_PIECE):
        data += piece
        if len(data) > MOST_BYTES:
            raise _TooMuchError
    return bytes(data)


async def _last(stream: asyncio.StreamReader) -> bytes:
    """The end of what comes."""
    data = b""
    while piece := await stream.read(_PIECE):
        data = (data + piece)[-_REASON:]
    return data


async def _end(process: asyncio.subprocess.Process) -> None:
    """Leave nothing of it behind."""
    if process.returncode is not None:
        return
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(TimeoutError):
            # Not wait(): what is left in the pipes has to be read before they are closed.
            await asyncio.wait_for(process.communicate(), _ENDING_S)
            return
