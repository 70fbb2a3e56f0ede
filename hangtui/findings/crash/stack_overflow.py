"""A stack that is full, by recursion in C or in Python."""

from collections import Counter

from hangtui.analysis.frame_classifier import eval_frame
from hangtui.analysis.places import line_and_function
from hangtui.findings.crash.crash_context import Explanation, Scene, native_place
from hangtui.model import Certainty, NativeFrame, PythonFrame

_NEAR = 64 << 10
"""Bytes between the stack's end and the access that ran over it; big frames skip some."""
_DEEP_PYTHON, _RECURSIONS = 400, 20
"""Times that a function is on the stack: where nothing else tells of recursion, and else."""
_FRAMES_PER_ROUND = 8
"""At most, of one native function: ctypes has three nameless ones of libffi in each."""


def explain(scene: Scene) -> Explanation | None:
    """A fault at the end of the stack, or Python's own message."""
    told = "stack overflow" in (scene.crash.message or "")
    if not told and not _at_the_end(scene):
        return None
    native = _repeated_native(scene)
    python = _repeated_python(scene, _RECURSIONS if native or told else _DEEP_PYTHON)
    by_python = python is not None and (native is None or _through_python(scene, native[1]))
    if by_python and python is not None:
        what = f"stack overflow by recursion of {line_and_function(python[0])}"
        who = f"{line_and_function(python[0])} is on the Python stack {python[1]} times"
    elif native is not None:
        what = f"stack overflow by recursion of {native_place(native[0])}"
        who = f"{native_place(native[0])} is on the native stack at least {native[1]} times"
    else:
        what, who = "stack overflow", ""
    evidence = [f"the interpreter said: {scene.crash.message}"] if told else [_distance(scene)]
    return Explanation(
        "crash-python-recursion" if by_python else "crash-stack-overflow",
        what,
        _sentence(scene, by_python=by_python, recursive=bool(who)),
        Certainty.CERTAIN,
        (*evidence, *([who] if who else [])),
        unknown=() if who else ("what filled the stack: no function repeats in what was read",),
        advice=_advice(by_python=by_python),
    )


def _at_the_end(scene: Scene) -> bool:
    """Whether it accessed memory at its stack pointer, which stands at the end of the stack."""
    crash = scene.crash
    if crash.signal_name not in ("SIGSEGV", "SIGBUS") or crash.guard_distance is None:
        return False
    if crash.stack is None or crash.address is None or crash.guard_distance > _NEAR:
        return False
    deep = len(scene.native) > _RECURSIONS or crash.guard_distance < 0
    return abs(crash.address - crash.stack) < _NEAR and deep


def _distance(scene: Scene) -> str:
    distance, address = scene.crash.guard_distance or 0, scene.crash.address or 0
    where = "below" if distance < 0 else "above"
    return (
        f"the stack pointer is {abs(distance)} bytes {where} the lower end of the thread's stack; "
        f"the fault address {address:#x} lies there"
    )


def _repeated_python(scene: Scene, least: int) -> tuple[PythonFrame, int] | None:
    counts = Counter((frame.filename, frame.function) for frame in scene.python)
    key, number = next(iter(counts.most_common(1)), (None, 0))
    if number < least:
        return None
    frame = next(f for f in scene.python if (f.filename, f.function) == key)
    return frame, number


def _repeated_native(scene: Scene) -> tuple[NativeFrame, int] | None:
    counts = Counter((frame.module, frame.function) for frame in scene.native)
    for (module, name), number in counts.most_common(4):
        frame = next(f for f in scene.native if (f.module, f.function) == (module, name))
        if number >= _RECURSIONS and not (eval_frame(frame) and len(counts) > 8):
            return frame, number
    return None


def _through_python(scene: Scene, repeated: int) -> bool:
    """Whether Python code runs in each round, maybe by way of C code of several frames."""
    evaluations = sum(map(eval_frame, scene.native))
    return evaluations >= max(_RECURSIONS, repeated / _FRAMES_PER_ROUND)


def _sentence(scene: Scene, *, by_python: bool, recursive: bool) -> str:
    how = "It called itself again and again until" if recursive else "Its calls went on until"
    whose = "Python code" if by_python else "C code"
    return (
        f"The stack of {scene.thread_name} is exhausted (stack overflow). {how} no room was left; "
        f"nothing limits the depth of {whose} here."
    )


def _advice(*, by_python: bool) -> tuple[str, ...]:
    if by_python:
        return (
            (
                "Lower sys.setrecursionlimit so that RecursionError comes first, make the function "
                "iterative, or give the thread more room: threading.stack_size(64 << 20)."
            ),
        )
    return (
        (
            "Limit the depth of the input, make the C function iterative, or give it more stack: "
            "ulimit -s for the main thread, threading.stack_size() for others."
        ),
    )
