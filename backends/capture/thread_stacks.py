"""The native stacks of one process's threads: sleepers read from memory, others on request."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.elf.images import Images
from hangtui.backends.memory.copied import CopiedMemory
from hangtui.backends.memory.reader import Memory
from hangtui.backends.memory.sampled import SampledMemory
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.backends.unwind.frame_marks import frame_marks
from hangtui.backends.unwind.native_stacks import NativeStacks
from hangtui.backends.unwind.perf import sample_threads
from hangtui.backends.unwind.unwinder import RawStack, Unwinder
from hangtui.model import FrameMark, NativeFrame, Thread

SAMPLE_S, MAX_SAMPLED = 0.05, 32
"""How long threads are sampled while they run, in seconds, and how many at most."""
_SAMPLES = 3
"""How often one is sampled whose stack cannot be followed to its end."""
_STOP_WAIT_S = 0.5
"""How long threads that are to stop are waited for. Only a few stand still meanwhile: they may take
their time."""


class ThreadStacks:
    """What was unwound, and how each stack was come by."""

    def __init__(
        self,
        memory: Memory,
        images: Images,
        native: NativeStacks,
        asleep: Mapping[int, BlockedThread],
    ) -> None:
        self._memory = memory
        self._images = images
        self._native = native
        self._named: dict[int, tuple[NativeFrame, ...]] = {}
        self._marks: dict[int, tuple[FrameMark, ...]] = {}
        """Of those that were sampled, by TID."""
        self.raw: dict[int, RawStack] = {tid: native.raw(where) for tid, where in asleep.items()}
        """By TID."""
        self.stopped_ms = 0.0
        """How long threads were stopped for it."""

    @property
    def are_named(self) -> bool:
        """Whether there are any with names."""
        return bool(self._named)

    def sample(self, tids: Sequence[int]) -> None:
        """Take those of threads that run, while they do.

        Raises:
            SamplingError: the kernel does not allow it.
        """
        left = tids[:MAX_SAMPLED]
        for _ in range(_SAMPLES):
            for tid, sample in sample_threads(self._memory.pid, left, SAMPLE_S).items():
                pointer = sample.registers[self._memory.arch.unwinding.stack_pointer]
                memory = SampledMemory(self._memory, pointer, sample.stack)
                unwinder = Unwinder(memory, self._images)
                stack = unwinder.unwind(pointer, sample.address, sample.registers)
                self.raw[tid] = stack
                self._marks[tid] = frame_marks(stack, pointer, sample.stack)
            # Some code has no unwind tables, and a thread that runs is elsewhere a moment later.
            left = [tid for tid in left if tid in self._marks and not self.raw[tid].complete]
            if not left:
                return

    def stop(self) -> Iterable[int]:
        """Stop threads for about a millisecond: those that run, and those whose stack
        breaks off where a register is needed that only a stop tells.

        The threads are given that got EINTR for it.

        Raises:
            TargetError: none can be stopped.
        """
        broken = [tid for tid, stack in self.raw.items() if not stack.complete]
        from hangtui.backends.ptrace.freezer.client import freeze

        copied = freeze(self._memory, everyone=False, also=broken, wait_s=_STOP_WAIT_S)
        unwinder = NativeStacks(CopiedMemory(self._memory, copied.pieces), self._images)
        for tid, thread in copied.stopped.items():
            self.raw[tid] = unwinder.raw(thread.blocked())
        self.stopped_ms = copied.stopped_ms
        return copied.interrupted

    def name(self) -> None:
        """Find the names of all frames, which takes the longest of all."""
        self._native.learn_packages(self.raw.values())
        self._named = {tid: self._native.named(raw) for tid, raw in self.raw.items()}

    def described(self, thread: Thread, records: Iterable[int]) -> Thread:
        """*thread* with its stack; *records*: where the interpreter keeps its entries into it."""
        stack, native = self.raw.get(thread.tid), self._named.get(thread.tid)
        if stack is None or native is None:
            return replace(thread, native_stack=None)
        return replace(
            thread,
            native_stack=self._native.evaluating(stack, native, records),
            native_sampled=thread.tid in self._marks,
            native_marks=self._marks.get(thread.tid, ()),
            native_complete=stack.complete,
        )
