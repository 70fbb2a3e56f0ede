"""C++ symbol names as their authors wrote them, by the C++ runtime's own demangler; and Rust's.

A name can refer to its own parts, so that one of 300 letters may stand for gigabytes: what could
become too long is demangled in a process of its own, with limits.
"""

import ctypes
import math
import re
import subprocess
import sys
from functools import lru_cache
from typing import Any

from hangtui.backends.elf.rust_names import demangle_rust, of_older_scheme

_LONGEST = 4096
"""Letters of a name; the longest in PyTorch 2.13 has 574."""
_HARMLESS = 64 << 20
"""Letters that a name may stand for at most if it is demangled in this process."""
_REFERENCE = re.compile(r"[ST][0-9A-Z]{0,6}_")
"""To a part of the name that stands before (Itanium C++ ABI, 5.1.8 and 5.1.5.2)."""
_EXPANSION = re.compile(r"Dp|sp")
"""Of a parameter pack: its pattern is repeated for each member (5.1.5.5, 5.1.6.1)."""
_LLVM = re.compile(r"\.llvm\.[0-9]{1,20}$")
"""What LLVM adds to names of one module, so that those of others differ."""
_LIMIT_S, _LIMIT_BYTES = 1.0, 256 << 20
_LIMIT_CPU_S = 2
"""Should whoever waits for it be gone."""
_MOST_APART = 16
"""Names that are demangled apart, for each of which an interpreter starts (20 ms)."""
_APART = f"""
import ctypes, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({_LIMIT_BYTES}, {_LIMIT_BYTES}))
resource.setrlimit(resource.RLIMIT_CPU, ({_LIMIT_CPU_S}, {_LIMIT_CPU_S}))
demangle = ctypes.CDLL("libstdc++.so.6").__cxa_demangle
demangle.restype = ctypes.c_void_p
demangle.argtypes = [ctypes.c_char_p] + [ctypes.c_void_p] * 3
result = demangle(sys.stdin.buffer.read(), None, None, None)
sys.stdout.buffer.write(ctypes.string_at(result)[:{1 << 16}] if result else b"")
"""


@lru_cache(1)
def _demangler() -> Any:
    try:
        library = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return None
    function = getattr(library, "__cxa_demangle")
    function.restype = ctypes.c_void_p
    function.argtypes = [ctypes.c_char_p] + [ctypes.c_void_p] * 3
    return function


@lru_cache(4096)
def demangle(name: str) -> str:
    """*name* demangled, or unchanged where it is no C++ or Rust name, too much of one, or no C++
    runtime is installed."""
    if name.startswith("_R") and len(name) <= _LONGEST:
        return demangle_rust(name)
    if not name.startswith("_Z") or len(name) > _LONGEST:
        return name
    name = _LLVM.sub("", name)
    demangler = _demangler()
    if demangler is None:
        return name
    if _longest_meaning(name) > _HARMLESS:
        return _Apart.demangle(name)
    status = ctypes.c_int()
    result = demangler(name.encode(), None, None, ctypes.byref(status))
    if not result:
        return name
    try:
        return of_older_scheme(ctypes.string_at(result).decode("utf-8", "replace"))
    finally:
        free = ctypes.CDLL(None).free
        free.argtypes = [ctypes.c_void_p]
        free(result)


def _longest_meaning(name: str) -> float:
    """How many letters *name* may stand for at most.

    Of n references, those to parts that consist of references in their turn make the longest text
    if each such part has three; a pack has as many members as fit into the name.
    """
    references = len(_REFERENCE.findall(name))
    expansions = len(_EXPANSION.findall(name))
    members, parts = (
        math.pow(len(name) / 2, min(expansions, 20)),
        math.pow(3, min(references, 600) / 3),
    )
    return len(name) * members * parts


class _Apart:
    """Demangles in processes that live for one name, and for a second at most."""

    left = _MOST_APART

    @classmethod
    def demangle(cls, name: str) -> str:
        """*name* demangled, or unchanged where that takes too much."""
        if cls.left <= 0:
            return name
        cls.left -= 1
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-c", _APART],
                input=name.encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=_LIMIT_S,
                cwd="/",
            )
        except (OSError, subprocess.TimeoutExpired):
            return name
        return done.stdout.decode("utf-8", "replace") or name
