"""perf_event_open(2): one sample of each of some threads, taken while they use a processor."""

import contextlib
import ctypes
import errno
import fcntl
import mmap
import os
import select
import struct
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Self

from hangtui.backends.arch import of_kernel
from hangtui.backends.linux import PAGE
from hangtui.dataclass import dataclass

_SOFTWARE, _CPU_CLOCK = 1, 0
"""As all numbers and structures here: linux/perf_event.h."""
_ATTRIBUTES = 112
"""PERF_ATTR_SIZE_VER5: Linux 4.1."""
_PERIOD_NS = 1_000_000
_IP, _TID, _REGISTERS, _STACK = 1, 1 << 1, 1 << 12, 1 << 13
_DISABLED, _NO_KERNEL, _NO_HYPERVISOR = 1, 1 << 5, 1 << 6
_ENABLE, _DISABLE = 0x2400, 0x2401
_CLOSE_ON_EXEC = 8
_STACK_BYTES = 48 << 10
"""How much of the stack is put aside: enough for dozens of native frames."""
_BUFFER_PAGES = 32
_HEAD_AT = 1024
"""data_head in struct perf_event_mmap_page; data_tail is the word behind it."""
_SAMPLE = 9
_64_BIT = 2


class SamplingError(Exception):
    """The kernel does not allow it."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Where a thread was while it ran."""

    address: int
    registers: dict[int, int]
    """By DWARF's numbers."""
    stack: bytes
    """From the stack pointer upward."""


def sample_threads(pid: int, tids: Iterable[int], wait_s: float) -> dict[int, Sample]:
    """One sample of each of these threads of *pid* that uses a processor within *wait_s* seconds.

    Raises:
        SamplingError: the kernel allows none of it.
    """
    with contextlib.ExitStack() as stack:
        events, failures = [], []
        for tid in tids:
            try:
                event = stack.enter_context(_Event(tid))
                if Path(f"/proc/{pid}/task/{tid}").exists():  # nobody else has got its number
                    events.append(event)
            except OSError as error:
                if error.errno != errno.ESRCH:
                    failures.append(error)
        if failures and not events:
            raise SamplingError(failures[0].strerror) from failures[0]
        _wait(events, wait_s)
        samples = ((event.tid, event.first()) for event in events)
        return {tid: sample for tid, sample in samples if sample is not None}


def _wait(events: "list[_Event]", wait_s: float) -> None:
    """Until each has a sample, or the time is over."""
    deadline = time.monotonic() + wait_s
    poll = select.poll()
    for event in events:
        poll.register(event.descriptor, select.POLLIN)
    missing = {event.descriptor for event in events}
    while missing and (left := deadline - time.monotonic()) > 0:
        for descriptor, _ in poll.poll(left * 1000):
            missing.discard(descriptor)
            poll.unregister(descriptor)


class _Event:
    """A clock that samples one thread each millisecond that it runs outside of the kernel."""

    def __init__(self, tid: int) -> None:
        self.tid = tid
        self.descriptor = _open(tid)
        try:
            size = (1 + _BUFFER_PAGES) * PAGE
            self._buffer = mmap.mmap(self.descriptor, size)
            fcntl.ioctl(self.descriptor, _ENABLE, 0)
        except OSError:
            os.close(self.descriptor)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._buffer.close()
        os.close(self.descriptor)

    def first(self) -> Sample | None:
        """The first sample, if there is one."""
        fcntl.ioctl(self.descriptor, _DISABLE, 0)
        (head,) = struct.unpack_from("<Q", self._buffer, _HEAD_AT)
        for kind, body in _records(self._buffer[PAGE:], head):
            if kind == _SAMPLE and (sample := _parsed(body)) is not None:
                return sample
        return None


def _records(data: bytes, head: int) -> Iterator[tuple[int, bytes]]:
    """What was written until the buffer was full; it does not wrap, for nothing was taken out."""
    at = 0
    while at + 8 <= min(head, len(data)):
        kind, _, size = struct.unpack_from("<IHH", data, at)
        if size < 8 or at + size > len(data):
            return
        yield kind, data[at + 8 : at + size]
        at += size


def _parsed(body: bytes) -> Sample | None:
    known = of_kernel().sampling
    count = len(known.dwarf)
    abi = struct.unpack_from("<Q", body, 16)[0]
    if abi != _64_BIT:
        return None
    values = struct.unpack_from(f"<{count}Q", body, 24)
    at = 24 + 8 * count
    (room,) = struct.unpack_from("<Q", body, at)
    (used,) = struct.unpack_from("<Q", body, at + 8 + room) if room else (0,)
    registers = {
        number: value
        for number, value in zip(known.dwarf, values, strict=True)
        if number is not None
    }
    return Sample(values[known.program_counter], registers, body[at + 8 : at + 8 + used])


def _open(tid: int) -> int:
    known = of_kernel().sampling
    attributes = struct.pack(
        "<IIQQQQQIIQQQQIi",
        *(_SOFTWARE, _ATTRIBUTES, _CPU_CLOCK, _PERIOD_NS, _IP | _TID | _REGISTERS | _STACK),
        *(0, _DISABLED | _NO_KERNEL | _NO_HYPERVISOR, 1, 0, 0, 0, 0, known.registers),
        *(_STACK_BYTES, 0),
    ).ljust(_ATTRIBUTES, b"\0")
    call = ctypes.CDLL(None, use_errno=True).syscall
    descriptor: int = call(known.call, attributes, tid, -1, -1, _CLOSE_ON_EXEC)
    if descriptor < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return descriptor
