"""Reads one process that cannot move, and its crash: a core, or one that a fatal signal stopped."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from hangtui.backends.capture.process_reader import ProcessReader
from hangtui.backends.crash.packages import with_packages
from hangtui.backends.crash.reading import FatalSignal, read_crash, with_source_lines
from hangtui.backends.elf.images import Images
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.ptrace.stopped_threads import FrozenThread, FrozenWatch
from hangtui.backends.unwind.native_stacks import NativeStacks
from hangtui.dataclass import dataclass
from hangtui.model import Capture, Notice, Process, Source, clean


@dataclass(frozen=True, slots=True)
class Stopped:
    """A process that cannot move."""

    process: Process
    """As the kernel or the notes of the core describe it."""
    memory: Memory
    images: Images
    threads: Sequence[FrozenThread]
    fatal: FatalSignal | None
    """The signal that ends it, if one does."""
    live: bool
    """It is no core: py-spy can be asked where the own reader does not know its interpreter."""


def read_stopped(stopped: Stopped, base: Capture) -> Capture:
    """*base* with everything that can be read; what cannot be read costs itself alone."""
    facts, notices = Facts(), list(base.notices)
    native = NativeStacks(stopped.memory, stopped.images)
    process = _inspected(stopped, native, facts, notices)
    crash = None
    if stopped.fatal is not None:
        source = Source.PROCFS if stopped.live else Source.CORE
        crash = read_crash(stopped.memory, native, process, stopped.fatal, stopped.threads, source)
        process = with_packages(process, stopped.memory.root)
        process = with_source_lines(stopped.memory, process, crash)
    return replace(facts.added_to(base), processes=(process,), crash=crash, notices=tuple(notices))


def _inspected(
    stopped: Stopped, native: NativeStacks, facts: Facts, notices: list[Notice]
) -> Process:
    """The process with its stacks; what it waits for and holds comes to *facts*."""
    process, failures = stopped.process, list[Exception]()
    try:
        reader = ProcessReader(process, stopped.memory, FrozenWatch(stopped.threads), native=native)
        # Stacks that were read are kept, whatever else of it is damaged.
        for step in (partial(reader.read, facts), reader.name_native_stacks):
            try:
                step()
            except DamagedDataError as error:
                failures.append(error)
        process = reader.conclude(facts)
        notices += reader.notices
        if stopped.live and process.python is not None and not reader.reads_python:
            from hangtui.backends.capture import pyspy

            process, told = pyspy.with_stacks(process, reader.tid_of_ident)
            notices += [told] if told else []
    except DamagedDataError as error:
        failures.append(error)
    for failure in failures[:1]:
        message = f"it could not be read to the end: {type(failure).__name__}: {failure}"
        source = Source.CPYTHON if stopped.live else Source.CORE
        notices.append(Notice(source, clean(message, 200), None, process.pid))
    return process
