"""The native stacks of blocked threads, with names, from memory alone."""

import bisect
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hangtui.backends.elf.demangle import demangle
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.packages.debian import debian_packages
from hangtui.backends.packages.python import package_of
from hangtui.backends.unwind.call_target import call_target
from hangtui.backends.unwind.unwinder import RawFrame, RawStack, Unwinder
from hangtui.dataclass import dataclass
from hangtui.model import NativeFrame, clean

if TYPE_CHECKING:  # it knows of futex waits, which are decoded by native stacks
    from hangtui.backends.procfs.thread_syscall import BlockedThread


@dataclass(frozen=True, slots=True)
class NamedFrame:
    """A frame and the exported names that it goes by."""

    raw: RawFrame
    names: frozenset[str]
    """The exported symbol around it, and the symbol that its caller called.

    The two differ where a function jumped on into another one (a tail call): ``sem_wait`` has no
    frame of its own any more, yet it is what was called.
    """


_SIGNAL = "<signal handler called>"
"""The kernel's way back from a signal handler, as gdb calls it."""


def _is_trampoline(stack: RawStack, index: int) -> bool:
    return index + 1 < len(stack.frames) and stack.frames[index + 1].interrupted


class NativeStacks:
    """Unwinds and names the stacks of one process."""

    def __init__(self, memory: Memory, images: Images) -> None:
        self._memory = memory
        self.images = images
        self.unwinder = Unwinder(memory, images)
        self._callees: dict[int, str | None] = {}
        self._packages: dict[str, str] = {}

    def raw(self, where: "BlockedThread") -> RawStack:
        """The addresses of a blocked thread's frames."""
        stack = self.unwinder.unwind(where.stack_pointer, where.address, where.registers)
        if where.registers and len(stack.frames) == 1 and not stack.complete:
            return self._behind_a_jump(where) or stack
        return stack

    def _behind_a_jump(self, where: "BlockedThread") -> RawStack | None:
        """The stack of a thread that called an address without code, if it did.

        A call leaves the way back on top of the stack, and nothing else was done yet.
        """
        try:
            caller = self._memory.u64(where.stack_pointer)
        except MemoryReadError:
            return None
        mapping = self._memory.mapping_at(caller)
        if mapping is None or "x" not in mapping.permissions:
            return None
        above = where.stack_pointer + 8
        rest = self.unwinder.unwind(above, caller - 1, where.registers)
        first = RawFrame(where.address, above, interrupted=True)
        second = RawFrame(caller, rest.frames[0].cfa, interrupted=False)
        return RawStack((first, second, *rest.frames[1:]), rest.complete, rest.reason)

    def exported_names(self, stack: RawStack, limit: int = 12) -> list[NamedFrame]:
        """The innermost *limit* frames with the exported names they go by."""
        return [
            NamedFrame(frame, frozenset(self._names(stack, index)))
            for index, frame in enumerate(stack.frames[:limit])
        ]

    def _names(self, stack: RawStack, index: int) -> set[str]:
        frame = stack.frames[index]
        image = self.images.at(frame.address)
        own = image.exported_at(frame.lookup_address) if image else None
        called = None
        if index + 1 < len(stack.frames) and not stack.frames[index + 1].interrupted:
            called = self._callee(stack.frames[index + 1].address)
        return {name for name in (own, called) if name}

    def in_one_image(self, frames: Sequence[NamedFrame]) -> bool:
        """Whether all these functions lie in the same program or library."""
        return len({self.images.at(frame.raw.address) for frame in frames}) == 1

    def module_of(self, frame: RawFrame) -> str | None:
        """Path of the image that a frame's code lies in."""
        image = self.images.at(frame.address)
        return image.path if image else None

    def learn_packages(self, stacks: Iterable[RawStack]) -> None:
        """Find out which Debian packages the modules on *stacks* belong to."""
        starts = {frame.address for stack in stacks for frame in stack.frames}
        paths = {image.path for address in starts if (image := self.images.at(address))}
        files = {path for path in paths if path.startswith("/")}
        self._packages = debian_packages(files, self._memory.root)

    def package_of(self, path: str) -> str | None:
        """The distribution or package that a module belongs to."""
        return package_of(path, self._memory.root) or self._packages.get(path)

    def named(self, stack: RawStack) -> tuple[NativeFrame, ...]:
        """The stack as it is shown."""
        return tuple(self._named(stack, index) for index in range(len(stack.frames)))

    @staticmethod
    def evaluating(
        stack: RawStack, named: tuple[NativeFrame, ...], records: Iterable[int]
    ) -> tuple[NativeFrame, ...]:
        """*named*, with those frames marked in which the interpreter's *records* of entries lie.

        Stripped interpreters and those whose instructions are functions of their own have no name
        to tell them by.
        """
        ends = [frame.cfa for frame in stack.frames if frame.cfa is not None]
        if ends != sorted(ends):  # part of it lies on another stack
            return named
        marked = {bisect.bisect_right(ends, record) for record in records if record}
        return tuple(
            replace(frame, evaluates=True) if index in marked else frame
            for index, frame in enumerate(named)
        )

    def _named(self, stack: RawStack, index: int) -> NativeFrame:
        frame = stack.frames[index]
        image = self.images.at(frame.address)
        if image is None:
            return NativeFrame(None, None, frame.address)
        trampoline = _is_trampoline(stack, index)
        name = _SIGNAL if trampoline else image.symbol_at(frame.lookup_address)
        if name is None:
            name = next(iter(self._names(stack, index)), None)
        return NativeFrame(
            function=clean(demangle(name)) if name else None,
            module=image.path,
            address=frame.address,
            package=self.package_of(image.path),
            offset=frame.address - image.bias,
        )

    def _callee(self, return_address: int) -> str | None:
        """The exported function that the call before *return_address* names."""
        if return_address not in self._callees:
            target = call_target(self._memory, return_address)
            image = self.images.at(target) if target else None
            name = image.exported_starting_at(target) if image and target else None
            self._callees[return_address] = name
        return self._callees[return_address]
