"""The functions of the C library that wait in futex(2), by what they wait for."""

import re

from hangtui.backends.unwind.native_stacks import NamedFrame

MUTEX = frozenset(
    f"{prefix}{name}"
    for prefix in ("", "__")
    for name in ("pthread_mutex_lock", "pthread_mutex_timedlock", "pthread_mutex_clocklock")
) | {"mtx_lock", "mtx_timedlock"}
READ = frozenset(
    {
        "pthread_rwlock_rdlock",
        "__pthread_rwlock_rdlock",
        "pthread_rwlock_timedrdlock",
        "pthread_rwlock_clockrdlock",
    }
)
WRITE = frozenset(
    {
        "pthread_rwlock_wrlock",
        "__pthread_rwlock_wrlock",
        "pthread_rwlock_timedwrlock",
        "pthread_rwlock_clockwrlock",
    }
)
CONDITION = frozenset(
    {
        "pthread_cond_wait",
        "pthread_cond_timedwait",
        "pthread_cond_clockwait",
        "cnd_wait",
        "cnd_timedwait",
    }
)
SEMAPHORE = frozenset({"sem_wait", "sem_timedwait", "sem_clockwait"})
GUARD = frozenset({"__cxa_guard_acquire"})
"""Static variables of functions (Itanium C++ ABI, 3.3.3)."""
ONCE = frozenset({"pthread_once", "__pthread_once", "call_once"}) | GUARD
BARRIER = frozenset({"pthread_barrier_wait"})
JOIN = frozenset({"pthread_join", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join"})
INTERNAL = frozenset({"__lll_lock_wait_private"})
"""The lock that the C library uses for itself: in stdio, in malloc."""
PRIMITIVES = MUTEX | READ | WRITE | CONDITION | SEMAPHORE | ONCE | BARRIER | JOIN | INTERNAL
_OTHERS_MUTEX, _LOCKS_IT = re.compile(r"[Mm]utex"), re.compile(r"(?:\A|[\d_:])[Ll]ock")
"""In what libraries call the function, mangled or not, by which they wait for a mutex that they
have made of a futex: Qt (QBasicMutex::lockInternal), GLib (g_mutex_lock_slowpath), Abseil, Rust
(Mutex::lock_contended, RawMutex::lock_slow)."""
_FUTURE = "_ZNSt28__atomic_futex_unsigned_base"
"""libstdc++'s std::future, mangled (its symbols differ in their parameters)."""


def innermost_primitive(frames: list[NamedFrame]) -> frozenset[str]:
    """The synchronisation functions of the innermost frame that has one.

    The innermost counts: a ``pthread_once`` further out may have called a function that waits for
    a mutex.
    """
    for frame in frames:
        found = frame.names & PRIMITIVES
        if found:
            return frozenset(found)
    return frozenset()


def waits_for_future(frames: list[NamedFrame]) -> bool:
    """Whether the innermost frames are those of ``std::future``'s wait."""
    return any(name.startswith(_FUTURE) for frame in frames[:3] for name in frame.names)


def waits_for_others_mutex(frames: list[NamedFrame]) -> bool:
    """Whether the innermost frames are those in which a library waits for a mutex of its own."""
    return any(map(_locks_mutex, (name for frame in frames[:3] for name in frame.names)))


def _locks_mutex(name: str) -> bool:
    found = _OTHERS_MUTEX.search(name)
    return found is not None and _LOCKS_IT.search(name[found.end() :]) is not None
