"""What threads blocked in futex(2) wait for."""

from hangtui.backends.libc.futex.decoder import FutexDecoder
from hangtui.backends.procfs.futex_syscall import FutexCall, FutexWait

__all__ = ["FutexCall", "FutexDecoder", "FutexWait"]
