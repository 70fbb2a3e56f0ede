"""Threads that the driver of a GPU, or torch for NCCL, has started for itself: they run no code of
the program, which they would have to take the GIL for, so that nobody waits for them but through
the library that they belong to."""

from hangtui.model import Thread

_NAMES = ("cuda0", "cuda-EvtHandlr", "pt_nccl_", "pt_tcpstore")
"""How they begin to be called: by CUDA 12 and 13, and by torch 2."""


def serves_a_device(thread: Thread) -> bool:
    """Whether it is one of them."""
    return thread.is_python is not True and (thread.comm or "").startswith(_NAMES)
