"""Reads processes whose memory is garbage: it must end in time, and fail only in the known ways.

    python tests/endurance/garbage.py [--minutes N] [--first SEED] [--pythons 3.8 3.13 ...]

A real hung process is read through a memory that damages some of its pages: flipped bits, zeros,
other pages' contents, torn pages, pages that are gone, pointers that lead back or elsewhere. The
seed decides which. Exits with 1 if a reading took too long or raised anything unexpected.
tests/integration/test_garbage.py runs a few seeds.
"""

import argparse
import contextlib
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hangtui.analysis.waitgraph import build
from hangtui.backends import ipc
from hangtui.backends.capture import process_reader
from hangtui.backends.facts import Facts
from hangtui.backends.linux import PAGE
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.process import processes
from hangtui.findings import run
from hangtui.model import Capture, Process, TargetError
from tests.integration.targets import READABLE, interpreters, running

TARGETS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("scenarios", ("exit_stack",)),
    ("scenarios", ("multiprocessing_lock",)),
    ("rlock_abba", ()),
    ("rwlock_gil", ()),
    ("asyncio_ring", ()),
    ("many_threads", ()),
)
LIMIT_S = 20.0
"""CPU time of one reading; whole ones take a tenth of a second."""
_LIMIT_BYTES = 6 << 30
"""Address space of the reader: what it asks for must not depend on garbage."""
_WORD = 8


class TooLongError(BaseException):
    """A reading exceeded its limit; nothing on the way may catch it."""


@dataclass(frozen=True, slots=True)
class Damage:
    """How one reading's memory is damaged."""

    seed: int
    share: float
    """Of the pages."""
    writable_only: bool
    """Spare code and constants, so that more of the reading is reached."""

    @classmethod
    def of(cls, seed: int) -> "Damage":
        """The damage that a seed stands for."""
        choice = random.Random(seed)
        share = choice.choice((0.002, 0.01, 0.03, 0.1, 0.3, 1.0))
        return cls(seed, share, choice.random() < 0.8)


class DamagedMemory(ProcessMemory):
    """A process's memory of which some pages are garbage, always the same ones for a seed."""

    damage: Damage
    pristine: dict[int, bytes]
    """Pages as they really are, for all readings of one process."""

    def fresh(self, address: int, size: int) -> bytes:
        """As ``ProcessMemory.fresh``, damaged."""
        if size > 64 * PAGE:  # symbols and constants: damaged in their first pages
            tail = super().fresh(address, size)
            return (self.fresh(address, PAGE) + tail[PAGE:]) if size else tail
        first, last = address // PAGE, (address + max(size, 1) - 1) // PAGE
        if not 0 <= address < 1 << 47:
            return super().fresh(address, size)
        data = b"".join(self._damaged(number) for number in range(first, last + 1))
        start = address - first * PAGE
        return data[start : start + size]

    def _real(self, number: int) -> bytes:
        page = self.pristine.get(number)
        if page is None:
            page = self.pristine[number] = super().fresh(number * PAGE, PAGE)
        return page

    def _damaged(self, number: int) -> bytes:
        page = self._real(number)
        choice = random.Random(self.damage.seed << 40 ^ number)
        if choice.random() >= self.damage.share:
            return page
        mapping = self.mapping_at(number * PAGE)
        if self.damage.writable_only and (mapping is None or "w" not in mapping.permissions):
            return page
        return choice.choice(DAMAGES)(self, choice, number, page)

    def flipped(self, choice: random.Random, _: int, page: bytes) -> bytes:
        """Some bits are others."""
        data = bytearray(page)
        for _ in range(choice.choice((1, 8, 200))):
            data[choice.randrange(PAGE)] ^= 1 << choice.randrange(8)
        return bytes(data)

    def emptied(self, choice: random.Random, *_: object) -> bytes:
        """Zeros, or the same byte everywhere."""
        return bytes([choice.choice((0, 0, 0xFF, 0xCB, 1))]) * PAGE

    def swapped(self, choice: random.Random, *_: object) -> bytes:
        """Another page of the same process."""
        return self.pristine[choice.choice(list(self.pristine))]

    def torn(self, choice: random.Random, number: int, page: bytes) -> bytes:
        """The first part of one page and the rest of another."""
        place = choice.randrange(0, PAGE, _WORD)
        return page[:place] + self.swapped(choice, number, page)[place:]

    def gone(self, *_: object) -> bytes:
        """Not mapped."""
        raise MemoryReadError("this page is gone")

    def cyclic(self, choice: random.Random, number: int, page: bytes) -> bytes:
        """Pointers lead to this page, to themselves, or to where others lead."""
        words = [page[at : at + _WORD] for at in range(0, PAGE, _WORD)]
        pointers = [
            index
            for index, word in enumerate(words)
            if self.mapping_at(int.from_bytes(word, "little"))
        ]
        for index in pointers:
            if choice.random() < 0.5:
                own = number * PAGE + _WORD * choice.choice((index, *pointers))
                other = words[choice.choice(pointers)]
                words[index] = choice.choice((own.to_bytes(_WORD, "little"), other))
        return b"".join(words)

    def extreme(self, choice: random.Random, _: int, page: bytes) -> bytes:
        """Sizes and counts that are far too large, or negative."""
        data = bytearray(page)
        for _ in range(choice.choice((1, 20, 200))):
            value = choice.choice((1 << 62, 1 << 31, (1 << 64) - 1, 20_000, 1 << 20, 1, 0x7F7F))
            at = choice.randrange(0, PAGE, _WORD)
            data[at : at + _WORD] = value.to_bytes(_WORD, "little")
        return bytes(data)


DAMAGES = (
    *(DamagedMemory.flipped, DamagedMemory.emptied, DamagedMemory.swapped, DamagedMemory.torn),
    *(DamagedMemory.gone, DamagedMemory.cyclic, DamagedMemory.cyclic, DamagedMemory.extreme),
)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def expire(_: int, frame: FrameType | None) -> None:
        raise TooLongError("".join(traceback.format_stack(frame, limit=14)))

    signal.signal(signal.SIGPROF, expire)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
    # Not for good: the targets inherit it, and some reserve more than that.
    usual = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (_LIMIT_BYTES, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, usual)
        signal.setitimer(signal.ITIMER_PROF, 0)


def read_damaged(process: Process, seed: int, pristine: dict[int, bytes]) -> str:
    """Read a process through damaged memory; how far it came.

    Raises:
        TooLongError: it did not end in time.
        Exception: it raised what it must not.
    """
    memory = type("Seeded", (DamagedMemory,), {"damage": Damage.of(seed), "pristine": pristine})
    with _limited(), mock.patch.object(process_reader, "ProcessMemory", memory):
        facts = Facts()
        try:
            reader = process_reader.ProcessReader(process)
        except TargetError:
            return "refused"
        with reader:
            reader.read(facts)
            ipc.Relations([reader.peer()], facts)
            reader.name_native_stacks()
            described = reader.conclude(facts)
        capture = Capture(
            "",
            "",
            processes=(described,),
            resources=tuple(facts.resources.values()),
            waits=tuple(facts.waits),
            holds=tuple(facts.holds),
            tasks=tuple(facts.tasks),
            event_loops=tuple(facts.event_loops),
        )
        run(capture, build(capture))
        return "read" if reader.reads_python else "native facts only"


def possible(program: str, version: str) -> bool:
    """Whether a target hangs under an interpreter; without a GIL nothing can wait for it."""
    return program != "rwlock_gil" or not version.endswith("t")


@dataclass(slots=True)
class Result:
    """What became of the readings of one process."""

    outcomes: Counter[str]
    failures: list[str]
    slowest_s: float = 0.0


def attack(process: Process, seeds: range, deadline: float) -> Result:
    """Read a process with one damage after the other, up to the deadline."""
    pristine: dict[int, bytes] = {}
    result = Result(Counter(), [])
    for seed in seeds:
        if time.monotonic() > deadline:
            break
        started = time.process_time()
        try:
            result.outcomes[read_damaged(process, seed, pristine)] += 1
        except (Exception, TooLongError) as error:  # noqa: BLE001  that is what is looked for
            result.outcomes["FAILED"] += 1
            lines = traceback.format_exception(error, limit=-6)
            result.failures.append(f"seed {seed}: {''.join(lines)}")
        result.slowest_s = max(result.slowest_s, time.process_time() - started)
    return result


def main() -> int:
    """Attacks one target under one interpreter after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--pythons", nargs="+", default=READABLE)
    options = parser.parse_args()
    found = interpreters(tuple(options.pythons))
    pairs = [(t, i) for i in found for t in TARGETS if possible(t[0], i.version)]
    each_s, failed, total = 60 * options.minutes / len(pairs), 0, 0
    for (program, arguments), interpreter in pairs:
        with running(program, interpreter.path, arguments=arguments) as target:
            process = processes.read_process(target.pid)
            seeds = range(options.first, options.first + 10**9)
            result = attack(process, seeds, time.monotonic() + each_s)
        print(
            f"{program} {' '.join(arguments)} {interpreter.id}: {dict(result.outcomes)},"
            f" slowest {result.slowest_s:.1f} s",
            flush=True,
        )
        for failure in result.failures[:3]:
            print(failure, flush=True)
        failed += len(result.failures)
        total += result.outcomes.total()
    print(f"{total} readings, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
