"""A heap that somebody damaged: double frees, overflows into the next block, writes after free."""

import re

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.findings.crash.siblings import company
from hangtui.model import Certainty

_DOUBLE_FREE = re.compile(r"double free (detected|or corruption \(fasttop\))")
"""Of "double free or corruption" only this variant is a double free for certain (malloc.c)."""
_MESSAGE = re.compile(
    r"double free|corrupt|munmap_chunk|invalid (next )?(size|pointer|chunk)|malloc\(\)|free\(\)"
    r"|realloc\(\)|malloc_consolidate|unaligned|mremap_chunk|invalid fastbin|break adjusted"
)
_ALLOCATOR = re.compile(
    r"_int_(malloc|free|realloc|memalign|free_\w+)|malloc_consolidate|unlink_chunk\S*|malloc_printerr"
    r"|(__libc_)?(malloc|free|realloc|calloc|cfree)|sysmalloc|tcache_(get|put|init)\S*|systrim\S*"
    r"|arena_(dalloc|malloc|tcache)\w*|je_(malloc|free|calloc|realloc|arena_\w+|sdallocx)"
    r"|mi_(malloc|free|heap_\w+|page_\w+)|_mi_\w+|tc_(malloc|free)"
)
_DOUBLE = (
    "Memory that was free already was freed once more: two owners, or an error path and the "
    "cleanup behind it, free the same block."
)
_CORRUPTED = (
    "The C library found the records of its heap (malloc, free) damaged: somebody wrote past the "
    "end of a block, or into freed memory."
)
_PYMALLOC = re.compile(
    r"_?(PyObject|PyMem)_(Malloc|Free|Realloc|Calloc)|pymalloc_\w+|address_in_range"
)


def explain(scene: Scene) -> Explanation | None:
    """By the allocator's own message, else by a fault inside the allocator."""
    message = scene.last_words
    said = _MESSAGE.search(message)
    frame = scene.within(_ALLOCATOR, 4) or scene.within(_PYMALLOC, 2)
    faulted = frame is not None and scene.crash.signal_name in ("SIGSEGV", "SIGBUS")
    if not said and not faulted:
        return None
    double = _DOUBLE_FREE.search(message) is not None
    evidence = [f"glibc said: {message} ({scene.source})"] if said else []
    if faulted and frame is not None:
        evidence.append(f"{scene.crash.signal_name} inside the allocator's {frame.function}")
    others = company(scene)
    evidence += [others.evidence] if others else []
    return Explanation(
        "crash-double-free" if double else "crash-heap-corruption",
        "double free" if double else "heap corruption",
        (_DOUBLE if double else _CORRUPTED) + (others.sentence if others else ""),
        Certainty.CERTAIN if said else Certainty.INFERRED,
        tuple(evidence),
        unknown=(
            "where the block was freed first" if double else "who damaged the heap, and when",
            *(() if others is None else ("whether these threads touched the same memory",)),
        ),
        advice=others.advice if others else (),
        victim=not double,
        threads=others.threads if others else (),
    )
