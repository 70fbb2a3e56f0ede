"""What threads blocked in futex(2) wait for."""

from hangtui.backends.futex.calls import FutexCall, FutexWait
from hangtui.backends.futex.decoder import FutexDecoder

__all__ = ["FutexCall", "FutexDecoder", "FutexWait"]
