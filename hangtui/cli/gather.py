"""``hangtui gather``: one capture of many machines or containers."""

import argparse
import asyncio
import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from hangtui.cli import output
from hangtui.cli.collector import spared
from hangtui.cli.durations import seconds
from hangtui.cli.several import combine
from hangtui.model import Capture, InputError, Notice, TargetError, UsageError, clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hangtui.backends.gather.errands import Answer, Errand
    from hangtui.backends.gather.place import Place

_MOST_AT_ONCE = 256
_SOURCE = "gather"


def run(args: argparse.Namespace) -> int:
    """Ask all places; write what they answer into a file, or show it."""
    from hangtui.backends.gather.errands import Errand
    from hangtui.backends.gather.place import Wanted
    from hangtui.backends.gather.places import places
    from hangtui.cli import screens

    if not 1 <= args.at_once <= _MOST_AT_ONCE:
        raise UsageError(f"--at-once is 1 to {_MOST_AT_ONCE}")
    if args.looks < 1:
        raise UsageError("--looks is at least 1")
    if not args.output:
        screens.require_terminal("hangtui gather ... -o job.hang")
    carried = _carried(args.carry)
    within = seconds(args.within)
    errand = Errand(args.native, args.looks, args.sudo, carried, within, args.at_once)
    wanted = Wanted(tuple(args.names), args.namespace, args.python, errand.within_s)
    capture = gathered(places(args.carrier, wanted), errand)
    if not args.output:
        return screens.show_captures([capture], args)
    from hangtui.capture_file import save

    save(capture, args.output)
    output.say(f"wrote {clean(args.output)}: {_processes(capture)}")
    return 0


def _carried(named: str | None) -> Path | None:
    """What is carried to places without hangtui: a file that was named."""
    if named is None:
        return None
    path = Path(named)
    if not path.is_file():
        raise UsageError(f"{clean(named)} is no file", "script/portable --tar FILE.tar.gz")
    return path


def gathered(places: "Sequence[Place]", errand: "Errand") -> Capture:
    """One capture of all *places*, with a notice for each that gave none.

    Raises:
        TargetError: none of them did.
    """
    captures: dict[str, Capture] = {}
    notices: list[Notice] = []

    async def ask() -> None:
        from hangtui.backends.gather.errands import answers

        async for answer in answers(places, errand):
            name = clean(answer.place.name)
            found = _read(answer)
            if isinstance(found, Notice):
                notices.append(found)
                told = found.message
            else:
                captures[name] = found
                told = f"{name}: {_processes(found)}, {_size(len(answer.data))}"
            output.say(f"{len(captures) + len(notices)} of {len(places)}  {told}")

    begun = time.monotonic()
    with spared():
        asyncio.run(ask())
    within_s = time.monotonic() - begun
    if not captures:
        first = notices[0]
        raise TargetError(first.message, first.fix)
    with spared():
        capture = combine(_told_apart(captures), within_s)
    return replace(capture, notices=(*notices, *capture.notices))


def _read(answer: "Answer") -> Capture | Notice:
    from hangtui.capture_file import read

    name = clean(answer.place.name)
    if answer.problem is not None:
        return Notice(_SOURCE, f"{name}: {clean(answer.problem, 300)}", answer.fix)
    try:
        capture = read(BytesIO(answer.data))
    except InputError as error:
        return Notice(_SOURCE, f"{name}: what it answers is {error.message}", error.fix)
    if capture.hosts:
        return Notice(_SOURCE, f"{name}: what it answers is of several machines")
    return capture if capture.host else replace(capture, host=name)


def _told_apart(captures: dict[str, Capture]) -> list[Capture]:
    """Each with a host of its own: containers may share the name of their machine."""
    hosts = [capture.host for capture in captures.values()]
    return [
        capture
        if hosts.count(capture.host) == 1
        else replace(capture, host=f"{capture.host}/{name}")
        for name, capture in captures.items()
    ]


def _processes(capture: Capture) -> str:
    return output.counted(len(capture.processes), "process", "processes")


def _size(count: int) -> str:
    return f"{count / 1000:,.0f} kB"
