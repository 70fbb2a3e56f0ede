"""C++ symbol names as their authors wrote them, by the C++ runtime's own demangler."""

import ctypes
from functools import lru_cache
from typing import Any


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
    """*name* demangled, or unchanged where it is no C++ name or no C++ runtime is installed."""
    if not name.startswith("_Z"):
        return name
    demangler = _demangler()
    if demangler is None:
        return name
    status = ctypes.c_int()
    result = demangler(name.encode(), None, None, ctypes.byref(status))
    if not result:
        return name
    try:
        return ctypes.string_at(result).decode("utf-8", "replace")
    finally:
        free = ctypes.CDLL(None).free
        free.argtypes = [ctypes.c_void_p]
        free(result)
