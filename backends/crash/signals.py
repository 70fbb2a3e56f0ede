"""Names of fatal signals and of their codes."""

import signal

FATAL = frozenset(
    {
        signal.SIGQUIT,
        signal.SIGILL,
        signal.SIGABRT,
        signal.SIGBUS,
        signal.SIGFPE,
        signal.SIGSEGV,
        signal.SIGXCPU,
        signal.SIGXFSZ,
        signal.SIGSYS,
    }
)
"""Those that end a process with a core file (signal(7)); SIGTRAP belongs to debuggers."""
FAULTS = frozenset({signal.SIGILL, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV})
"""Those that an instruction causes."""

_ANY = {
    0: "SI_USER", 128: "SI_KERNEL", -1: "SI_QUEUE", -2: "SI_TIMER", -3: "SI_MESGQ",
    -4: "SI_ASYNCIO", -5: "SI_SIGIO", -6: "SI_TKILL",
}  # fmt: skip
_OF_SIGNAL = {
    signal.SIGILL: "ILLOPC ILLOPN ILLADR ILLTRP PRVOPC PRVREG COPROC BADSTK",
    signal.SIGFPE: "INTDIV INTOVF FLTDIV FLTOVF FLTUND FLTRES FLTINV FLTSUB",
    signal.SIGSEGV: "MAPERR ACCERR BNDERR PKUERR",
    signal.SIGBUS: "ADRALN ADRERR OBJERR MCEERR_AR MCEERR_AO",
}
"""Codes from 1 on, asm-generic/siginfo.h."""


def name_of(number: int) -> str:
    """``SIGSEGV``; ``signal 99`` where it has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def number_of(name: str) -> int | None:
    """The number of ``SIGSEGV``, or None."""
    found = signal.Signals.__members__.get(name)
    return int(found) if found is not None else None


def code_name(number: int, code: int) -> str:
    """``SEGV_MAPERR``; the number where it has no name."""
    if code in _ANY:
        return _ANY[code]
    names = _OF_SIGNAL.get(number, "").split()  # type: ignore[call-overload]
    if 0 < code <= len(names):
        return f"{name_of(number).removeprefix('SIG')}_{names[code - 1]}"
    return f"code {code}"
