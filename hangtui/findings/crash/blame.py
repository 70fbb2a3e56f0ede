"""The finding of a crash: what happened, in whose code, beside whom, and what to try next."""

import shlex
from dataclasses import replace

from hangtui.analysis.frame_classifier import module_name
from hangtui.analysis.places import line_and_function
from hangtui.findings.crash.crash_context import Explanation, Scene, native_place
from hangtui.findings.crash.siblings import ONE_AT_A_TIME, difference, kin, may_race
from hangtui.findings.engine import SENT
from hangtui.findings.english import listed
from hangtui.findings.words import ref
from hangtui.model import Finding, Severity, Source

_MEMORY = {
    "crash-heap-corruption", "crash-double-free", "crash-use-after-free", "crash-wild-pointer",
    "crash-overwritten-pointer", "crash-stack-smashing", "crash-bad-call", "crash-signal",
    "crash-reference-count",
}  # fmt: skip
"""Crashes that a checking run can trace back to their cause."""
_FROM_OUTSIDE = {SENT, "crash-out-of-memory-kill"}
"""Signals for which the code that they met is not to blame."""
_MEANINGS = {
    "SIGSEGV": "invalid memory access",
    "SIGABRT": "the process ended itself",
    "SIGBUS": "memory whose file or device gave no data",
    "SIGFPE": "impossible arithmetic",
    "SIGILL": "invalid instruction",
}
"""Signals in words; ``man 7 signal``."""

_LED_ASTRAY = {"crash-null-pointer", "crash-protected-memory", "crash-bad-call"}
"""Bad pointers, which may be bad from the start, or by what another thread does."""
_RACED = (
    "whether another thread emptied, freed or overwrote what held the pointer (heap corruption by "
    "a data race)"
)


def finding(scene: Scene, explanation: Explanation) -> Finding:
    """What is said of a crash."""
    if explanation.id in _LED_ASTRAY and may_race(scene):
        unknown = (*explanation.unknown, _RACED)
        explanation = replace(explanation, victim=True, unknown=unknown)
    name = scene.crash.signal_name
    where = f" {scene.place}" if scene.place and scene.place[3:] not in explanation.what else ""
    if explanation.id in {*_FROM_OUTSIDE, "crash-python-recursion"}:
        where = ""  # no code of its own did that; any code may be the last that found no room
    title = f"{name}: {explanation.what}{where}" if name else f"{explanation.what}{where}"
    threads = [scene.thread] if scene.thread else []
    threads += [thread for thread in explanation.threads if thread not in threads]
    return Finding(
        id=explanation.id,
        severity=Severity.ERROR,
        certainty=explanation.certainty,
        title=title,
        sentence=_sentence(scene, explanation),
        threads=tuple(map(ref, threads)),
        evidence=tuple(dict.fromkeys([*explanation.evidence, *_evidence(scene, explanation)])),
        unknown=explanation.unknown,
        advice=tuple(dict.fromkeys([*explanation.advice, *_advice(scene, explanation)])),
    )


def _sentence(scene: Scene, explanation: Explanation) -> str:
    where = [part for part in (scene.place, scene.python_words) if part]
    if scene.culprit is None and not scene.native:
        where = where[:1]
    who = scene.thread_name if scene.thread else "The process"
    begin = f"{who} {_ended(scene, explanation, where=bool(where))} {', '.join(where)}".rstrip()
    return f"{begin}. {explanation.sentence} {_whose(scene, explanation)}".rstrip()


def _ended(scene: Scene, explanation: Explanation, *, where: bool) -> str:
    """``crashed with SIGSEGV (invalid memory access)``."""
    signal = scene.crash.signal_name or "a fatal error"
    if explanation.id in _FROM_OUTSIDE:
        return f"got {signal}{' while it was' if where else ''}"
    meaning = _MEANINGS.get(signal)
    return f"crashed with {signal}{f' ({meaning})' if meaning else ''}"


def _whose(scene: Scene, explanation: Explanation) -> str:
    """In whose code it was, and how sure that is the one to blame."""
    if explanation.id in _FROM_OUTSIDE:
        return ""
    package = package_at(scene)
    culprit = scene.culprit
    owner = package or (module_name(culprit) if culprit else "")
    if explanation.victim:
        where = f"in {owner}" if owner else "here"
        return f"It came to light {where}; that does not prove that the fault is there."
    if not owner:
        return ""
    if culprit is not None and scene.native and culprit is scene.native[0]:
        return f"That code belongs to {owner}."
    if culprit is not None:
        return (
            f"The innermost code that is neither the C library's nor CPython's belongs to {owner}."
        )
    return f"The innermost package on its Python stack is {owner}."


def package_at(scene: Scene) -> str | None:
    """The distribution of the culprit, else of the innermost Python frame that has one."""
    if scene.culprit is not None and scene.culprit.package:
        return scene.culprit.package
    return next((frame.package for frame in scene.python if frame.package), None)


def _evidence(scene: Scene, explanation: Explanation) -> list[str]:
    lines = []
    if scene.native and scene.culprit is not None:
        step = next(i for i, frame in enumerate(scene.native) if frame is scene.culprit)
        package = f", package {scene.culprit.package}" if scene.culprit.package else ""
        lines.append(f"frame {step} is {native_place(scene.culprit)}{package}")
    if scene.python:
        frame = scene.python[0]
        owner = package_at(scene)
        suffix = f" (package {owner})" if owner and scene.culprit is None else ""
        lines.append(f"Python was at {line_and_function(frame)}{suffix}")
        own = scene.program_line
        if own is not None and own is not frame:
            lines.append(f"called from {line_and_function(own)}")
    if scene.crash.extensions and scene.culprit is None:
        lines.append(f"extension modules that were loaded: {listed(scene.crash.extensions)}")
    thread = scene.thread
    if thread is not None and scene.gil_is_known:
        holds = thread.gil is not None and thread.gil.value == "holds"
        lines.append(f"{scene.thread_name} {'holds' if holds else 'does not hold'} the GIL")
    told = [difference(scene), kin(scene) if explanation.victim else None]
    return [*lines, *(line for line in told if line)]


def _advice(scene: Scene, explanation: Explanation) -> list[str]:
    if explanation.id in _FROM_OUTSIDE:
        return []  # no other version of the code that was running then, nor a checking run, helps
    command = _command(scene)
    lines = [ONE_AT_A_TIME] if explanation.victim and kin(scene) else []
    package = package_at(scene)
    if package is not None:
        name, _, version = package.rpartition(" ")
        lines.append(
            f"Try another version of {name} than {version} (pip install -U {name}), and search its "
            f"issues for {_function(scene)!r}."
        )
    if explanation.id in _MEMORY:
        lines.append(
            f"Find the first bad access: PYTHONMALLOC=malloc valgrind {command}; or with "
            "AddressSanitizer, which is faster: LD_PRELOAD=$(gcc -print-file-name=libasan.so) "
            f"ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc {command}"
        )
    if scene.source is Source.FAULTHANDLER:
        lines.append(f"For the address and the native stack: hangtui run -- {command}")
    elif scene.crash.faulthandler is not True:
        lines.append(
            "Have the Python stacks printed at the next crash in any case: PYTHONFAULTHANDLER=1 "
            f"{command}"
        )
    return lines


def _function(scene: Scene) -> str:
    if scene.culprit is not None and scene.culprit.function:
        return scene.culprit.function.partition("(")[0]
    return scene.python[0].function if scene.python else "the crash"


def _command(scene: Scene) -> str:
    words = scene.process.cmdline if scene.process else ()
    return shlex.join(words) if words else "python PROGRAM"
