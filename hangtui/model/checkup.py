"""What can be done on a machine, or with a process: the answers of ``hangtui doctor``."""

from enum import StrEnum

from hangtui.dataclass import dataclass


class Ability(StrEnum):
    """Something that a capture needs, or gains by."""

    LIST = "list"
    """See the Python processes."""
    MEMORY = "memory"
    """Read memory: Python stacks, locks, the GIL, native stacks of sleeping threads."""
    CHECK = "check"
    """Say that nothing is wrong: all that this needs is read."""
    STOP = "stop"
    """Stop a process for a moment: native stacks of running threads, registers."""
    GDB = "gdb"
    """Source lines of C code, arguments, disassembly."""
    PYSPY = "py-spy"
    """Stacks of Pythons that hangtui does not read by itself."""
    CORE = "core"
    """A core file if it crashes."""
    NVML = "NVML"
    """Which processes use an NVIDIA GPU."""


NEEDED = frozenset({Ability.LIST, Ability.MEMORY, Ability.CHECK})
"""Without the first two a capture holds next to nothing, without the third no all-clear can be
given."""


@dataclass(frozen=True, slots=True)
class Check:
    """One ability."""

    ability: Ability
    works: bool
    reason: str
    """Why not, or what is there."""
    fix: str | None = None
    """What to type or to write, in this very place."""


@dataclass(frozen=True, slots=True)
class Checkup:
    """All of them."""

    place: str
    """Where hangtui runs, in words."""
    rights: str
    """Who it is and what it may, in words."""
    pid: int | None
    """The process that was asked about; None: all Python processes that are seen."""
    title: str
    """What these processes are called."""
    checks: tuple[Check, ...]

    @property
    def healthy(self) -> bool:
        """Whether captures can be taken, and processes be called well."""
        return all(check.works for check in self.checks if check.ability in NEEDED)
