"""Pointers that look like what allocators and overwriting leave behind."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.findings.crash.siblings import company
from hangtui.model import Certainty, PointerKind, Register

_FILLS = {
    0xDD: "freed memory of Python's debug allocator (0xDD)",
    0xDB: "freed memory of Python's debug allocator (0xDB, before 3.8)",
    0xCD: "memory of Python's debug allocator that was never written (0xCD)",
    0xCB: "memory of Python's debug allocator that was never written (0xCB, before 3.8)",
    0xFD: "the border of a block of Python's debug allocator (0xFD)",
    0xFB: "the border of a block of Python's debug allocator (0xFB, before 3.8)",
    0x5A: "freed memory of jemalloc (0x5A)",
    0xA5: "memory of jemalloc that was never written (0xA5)",
    0xBE: "freed memory of AddressSanitizer (0xBE)",
}


_LEAST_NUMBER = 0x100
"""Smaller ones are more likely a NULL pointer to which something was added; no odd number, if it
is a structure that is meant, whose fields lie at even addresses."""
_SIZE_FLAGS, _LEAST_SIZE = (1, 5), 0x20
"""Of a block's size, which is a multiple of 16: PREV_INUSE, and NON_MAIN_ARENA (malloc.c)."""
_FIELD = 4
"""Bytes: of so large an access the address is even."""


def explain(scene: Scene) -> Explanation | None:
    """A bad pointer whose bytes tell where it comes from."""
    if scene.crash.signal_name not in ("SIGSEGV", "SIGBUS") or scene.crash.operand is None:
        return None
    register = scene.register(scene.crash.operand.register or "")
    if register is None:
        return None
    if register.kind is PointerKind.NULL:
        return _small(scene, register)
    if register.kind not in (PointerKind.NO_ADDRESS, PointerKind.UNMAPPED):
        return None
    fill, text = _fill(register), _text(register)
    if fill is None and text is None:
        return None
    shown = f"{register.name} = {register.value:#018x}"
    evidence = (f"{scene.crash.title} {scene.access} ({scene.source})", f"{shown}: {fill or text}")
    if fill is not None:
        return Explanation(
            "crash-use-after-free",
            "use of freed or never written memory",
            f"The pointer {shown} was read from {fill}: the object behind it was freed before, or "
            "never initialised. The code still used it.",
            Certainty.INFERRED,
            evidence,
            unknown=("who freed it",),
        )
    return Explanation(
        "crash-overwritten-pointer",
        "a pointer that was overwritten with text",
        f"The pointer {shown} consists of the characters {text}: a string was written over it (a "
        "buffer overflow, or memory that was freed and used again), and the code followed it.",
        Certainty.INFERRED,
        evidence,
        unknown=("who wrote the string there",),
        victim=True,
    )


def _small(scene: Scene, register: Register) -> Explanation | None:
    """A number where a pointer should be: not 0, as a pointer that was never set would be."""
    value, operand = register.value, scene.crash.operand
    is_size = value & 0xF in _SIZE_FLAGS and value >= _LEAST_SIZE
    odd = is_size and operand is not None and (operand.size or 0) >= _FIELD
    if (value < _LEAST_NUMBER and not odd) or scene.crash.address is None:
        return None
    looks = (
        "; so look the size fields that glibc keeps in the heap between blocks" if is_size else ""
    )
    shown = f"{register.name} = {value:#x}"
    others = company(scene)
    return Explanation(
        "crash-overwritten-pointer",
        f"a number where a pointer should be ({value:#x})",
        f"The code used {shown} as a pointer, which it is not, nor is it NULL"
        f"{looks}. The object that held it was overwritten, or was freed and its memory used "
        f"again (heap corruption).{others.sentence if others else ''}",
        Certainty.INFERRED,
        (
            f"{scene.crash.title} {scene.access} ({scene.source})",
            f"the instruction is {scene.crash.instruction}; {shown}",
            *([others.evidence] if others else []),
        ),
        unknown=("who overwrote it, and when",),
        advice=others.advice if others else (),
        victim=True,
        threads=others.threads if others else (),
    )


def _fill(register: Register) -> str | None:
    """The allocator whose filling the register holds (an offset may have been added)."""
    raw = register.value.to_bytes(8, "little")
    upper = raw[2:]
    return _FILLS.get(upper[0]) if len(set(upper)) == 1 else None


def _text(register: Register) -> str | None:
    raw = register.value.to_bytes(8, "little").rstrip(b"\0")
    printable = len(raw) >= 7 and all(0x20 <= byte < 0x7F for byte in raw)
    return repr(raw.decode("ascii")) if printable else None
