"""Other threads beside the crashed one: who is alike, who differs, and who was in the same code."""

from collections import Counter

from hangtui.analysis.frame_classifier import foreign_frame, module_name
from hangtui.analysis.places import library_frame, line_and_function, short_path
from hangtui.dataclass import dataclass
from hangtui.findings.crash.crash_context import Scene, native_place
from hangtui.findings.english import counted, listed
from hangtui.model import GilState, Thread

_IDLE = {"wait", "_wait_for_tstate_lock", "join", "get", "select", "accept", "sleep", "poll"}

ONE_AT_A_TIME = (
    "Let one thread at a time call it (a threading.Lock around the call, or one worker thread): if "
    "the crash goes away, that code is not thread-safe."
)


@dataclass(frozen=True, slots=True)
class Company:
    """Threads that were in the same code at the same time."""

    threads: tuple[Thread, ...]
    evidence: str
    sentence: str
    advice: tuple[str, ...]


def company(scene: Scene) -> Company | None:
    """The threads that were inside the same native code or on the same path; None: nobody."""
    inside, where = _inside(scene)
    if not inside:
        return None
    who = listed([thread.name for thread in inside])
    evidence = f"{counted(len(inside), 'other thread')} ({who}) stood {where} at the same time"
    sentence = (
        f" {counted(len(inside), 'other thread').capitalize()} ran {where} at the same time: a "
        "data race between concurrent calls is a likely cause."
    )
    return Company(tuple(inside), evidence, sentence, (ONE_AT_A_TIME,))


def _inside(scene: Scene) -> tuple[list[Thread], str]:
    """Who was in the same native code, else in any, else in the same functions; and where."""
    mine = _modules(scene.thread)
    same = [thread for thread in scene.others if mine & _modules(thread)]
    if same:
        names = sorted({name for thread in same for name in mine & _modules(thread)})
        return same, f"inside {listed(names)} too"
    native = [thread for thread in scene.others if _called(thread)]
    if native and not mine:
        places = sorted({place for thread in native if (place := _called(thread))})
        return native, f"in native code, {listed(places)},"
    alike = [thread for thread in scene.others if _alike(scene, thread)]
    frame = scene.program_line
    return alike, f"on the same Python path ({line_and_function(frame)})" if frame else ""


def _called(thread: Thread) -> str | None:
    """The innermost native function of somebody's extension on a thread's stack."""
    frame = next((f for f in thread.native_stack or () if foreign_frame(f)), None)
    return native_place(frame) if frame else None


def difference(scene: Scene) -> str | None:
    """How the crashed thread stands out among its siblings, in one sentence."""
    if scene.thread is None or not scene.others:
        return None
    groups = Counter(_signature(thread) for thread in scene.others)
    mine = _signature(scene.thread)
    alike = groups.pop(mine, 0)
    rest = sum(groups.values())
    if alike:
        return (
            f"{scene.thread_name} crashed; {counted(alike, 'other thread')} stood at the same "
            f"line, {rest} elsewhere"
        )
    if not groups:
        return None
    common, number = groups.most_common(1)[0]
    where = f"most of them at {common[0]}" if common and number > 1 else "each elsewhere"
    where = where if rest > 1 else f"it stood at {common[0]}" if common else "without Python frames"
    return f"{scene.thread_name} crashed; {counted(rest, 'other thread')} did not: {where}"


def kin(scene: Scene) -> str | None:
    """Which other threads do the same work as the crashed one, in one sentence."""
    work = _work(scene.thread) if scene.thread else None
    if work is None:
        return None
    alike = [thread for thread in scene.others if _work(thread) == work]
    if not alike:
        return None
    return (
        f"{counted(len(alike), 'other thread')} {'do' if len(alike) > 1 else 'does'} the same work "
        f"({work[1]} in {short_path(work[0])}), so that it may run concurrently"
    )


def may_race(scene: Scene) -> bool:
    """Whether native code ran without the GIL in a thread that has others of its kind."""
    thread = scene.thread
    free = thread is not None and scene.gil_is_known and thread.gil is not GilState.HOLDS
    return free and scene.culprit is not None and kin(scene) is not None


def _work(thread: Thread) -> tuple[str, str] | None:
    """The file and function that a thread was started for; None: a main thread, or not known."""
    frames = thread.python_stack or ()
    begun = [f for f in frames if not f.filename.endswith("/threading.py")]
    if len(begun) == len(frames) or not begun:
        return None
    return begun[-1].filename, begun[-1].function


def _signature(thread: Thread) -> tuple[str, ...]:
    return tuple(map(line_and_function, thread.python_stack or ()))


def _modules(thread: Thread | None) -> frozenset[str]:
    frames = (thread.native_stack if thread else None) or ()
    return frozenset(module_name(frame) for frame in frames if foreign_frame(frame))


def _path(thread: Thread) -> list[tuple[str, str]]:
    """Files and functions of a thread's own code, innermost first."""
    frames = thread.python_stack or ()
    if frames and frames[0].function.rpartition(".")[2] in _IDLE and library_frame(frames[0]):
        return []
    return [(f.filename, f.function) for f in frames if not library_frame(f)]


def _alike(scene: Scene, thread: Thread) -> bool:
    """Whether the innermost own function of the crashed thread is on the other's stack too."""
    mine = _path(scene.thread) if scene.thread else []
    return bool(mine) and mine[0] in _path(thread)
