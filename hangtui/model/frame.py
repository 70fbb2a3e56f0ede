"""One call on a stack, as Python sees it and as the machine sees it."""

from dataclasses import field

from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PythonFrame:
    """A frame of the Python interpreter. Stacks are tuples of them, innermost first."""

    function: str
    """``co_qualname`` from CPython 3.11 on, else ``co_name``."""
    filename: str
    line: int | None
    """1-based; None where the instruction has no line."""
    entry: bool | None = None
    """Whether C code entered the interpreter here, so that a native eval frame begins with it.
    None: the source cannot tell."""
    package: str | None = field(default=None, compare=False)
    """``name version`` of the distribution that the file belongs to; filled in for crashes, and
    for frames by which a stack enters a package."""
    doc: str | None = field(default=None, compare=False)
    """The first sentence of the function's docstring and the one that says that it waits, where the
    innermost line of the application calls a package."""
    signal: str | None = field(default=None, compare=False)
    """The signal, if it was called as the handler of one: ``SIGTERM``. The frame below it is the
    one that was interrupted."""


@dataclass(frozen=True, slots=True)
class FrameMark:
    """What lay in a machine frame of a thread that ran, to tell whether it stayed in one call."""

    address: int
    """As `NativeFrame` has it."""
    content: int
    """A number that changes with the place of the frame and the values in it, but for moments of
    the clock."""


@dataclass(frozen=True, slots=True)
class NativeFrame:
    """A machine frame. Stacks are tuples of them, innermost first."""

    function: str | None
    """Demangled where the source demangles."""
    module: str | None
    """Path of the mapped ELF file, as the target sees it; ``[vdso]`` for the kernel's."""
    address: int
    """The program counter in this frame (innermost) or the return address into it (all others)."""
    file: str | None = None
    line: int | None = None
    package: str | None = None
    """``name version`` of the distribution that the module belongs to."""
    evaluates: bool = False
    """It is known to run Python frames, whatever its name says: the interpreter's record of an
    entry into Python lies in it."""
    offset: int | None = None
    """``address`` relative to the module's load bias, so that it can be looked up in the file."""
