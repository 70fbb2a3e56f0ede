"""What a thread or task does, in one clause."""

from hangtui.analysis.places import application_index, line_and_function, package_of, program_frame
from hangtui.findings.handled import after_error, tries_again
from hangtui.findings.library_calls import awaited_in_library
from hangtui.findings.library_waits import retries_within
from hangtui.findings.looked import looked_there, polled_by
from hangtui.findings.package_queries import entered_again, library_wait, package_entry
from hangtui.findings.pool_workers import for_workers
from hangtui.findings.stack_queries import at, does, held_by, name_of, polls
from hangtui.findings.words import Actor, Words
from hangtui.model import Task, Thread, thread_id

_SLEEPS = ("sleep", "__iter__")
_MOMENT = ("sleep (0.", "sleep (due now", "a timer (0.", "a timer (due now")
"""What a task is said to await that goes on in less than a second; in the end, at least."""
_NO_RUNNER = ", in an event loop that no thread runs"


def doing(actor: Actor, words: Words, *, alone: bool = True) -> str:
    """What a thread or task does, in one clause: ``task main awaits sleep (3 s left)``; *alone*:
    nothing else is said of it, as `does` has it."""
    if isinstance(actor, Thread):
        return (
            f"{does(actor, words, alone=alone)}{_in_call(actor, words)}{for_workers(actor, words)}"
        )
    name = words.actor_name(actor)
    left = _NO_RUNNER if words.has_no_runner(actor) else ""
    wait = words.graph.wait_of(actor.id)
    if wait is not None:
        does_so = words.waiting(wait)
        package = own_package(actor)
        if package and does_so.startswith("waits at "):
            does_so = f"waits, in {package}, {does_so.removeprefix('waits ')}"
        return f"{name} {does_so}{held_by(wait, words) if alone else ''}{left}"
    again = None if left else _again_and_again(actor, words)
    if again is not None:
        return f"{name} {again}"
    if actor.awaits and not left:
        where = at(program_frame(actor.python_stack or ()))
        what, _, rest = actor.awaits.partition(" (")
        if what == "sleep" or (actor.sleep is not None and what == "a timer"):
            between = between_tries(actor, words)
            return f"{name} sleeps{where}{f' ({rest}' if rest else ''}{between}"
        return f"{name} awaits {actor.awaits}{where}"
    position = words.position(actor)
    return f"{name} is suspended{f' {position}' if position else ''}{left}"


def _again_and_again(task: Task, words: Words) -> str | None:
    """``sleeps again and again at a.py:19 (beat), each time for less than a second``, of one that
    looks at something, or ticks; None: it does neither."""
    moment = task.sleep is None or _sleeps_for_a_moment(task)
    polled = polled_by(task.id, words) if moment else None
    if not polled and not (task.awaits and _ticks(task, words)):
        return None
    stack = task.python_stack or ()
    where = at(program_frame(stack))
    if polled:
        entry = package_entry(task)  # told as where it is inside
        others = [frame for frame in stack if frame is not entry]
        looks = looked_there(polled, others, program_frame(stack))
        return f"waits{where}{_inside(task)} by polling {looks}{entered_again(task)}"
    verb = "sleeps" if _sleeps_for_a_moment(task) else "waits"
    inside = _inside(task) or ","
    return f"{verb} again and again{where}{inside} each time for less than a second"


def _in_call(thread: Thread, words: Words) -> str:
    """``, in zmq, for a message of another socket (recv of its SUB socket)``, of one that waits for
    nothing that is recorded, in a call of a package of which it is known what that waits for."""
    if words.graph.wait_of(thread.id) or not thread.asleep or polled_by(thread.id, words):
        return ""
    goal = awaited_in_library(thread)
    return f", in {library_wait(thread)}, {goal}" if goal and library_wait(thread) else ""


def between_tries(task: Task, words: Words) -> str:
    """`` between calls of fetch (rates.py:4)``, or `` between two tries (nats's ...)``, of a task
    that sleeps; empty: it is not known to try something again."""
    stack = task.python_stack or ()
    library = retries_within(stack[: application_index(stack)])
    tries = tries_again(task.id, words) or (f"between two tries ({library})" if library else "")
    return f" {tries}{'' if not library else after_error(task.id, words)}" if tries else ""


def own_package(task: Task) -> str | None:
    """The package of a task that a library runs for itself; None: the application is below it."""
    frames = task.python_stack or ()
    if application_index(frames) is not None:
        return None
    return next((known for frame in reversed(frames) if (known := package_of(frame))), None)


def _inside(task: Task) -> str:
    """``, in taskiq (task.py:103 (AsyncTaskiqTask.wait_result)),``: where a package was called."""
    entry = package_entry(task)
    if entry is None or name_of(entry) in _SLEEPS:
        return ""
    return f", in {package_of(entry)} ({line_and_function(entry)}),"


def _ticks(task: Task, words: Words) -> bool:
    """Whether a task sleeps for a moment, and its loop came back to the same lines in each look."""
    if not _sleeps_for_a_moment(task) or task.loop_tid is None:
        return False
    thread = words.thread(thread_id(task.pid, task.loop_tid))
    return thread is not None and polls(thread, words)


def _sleeps_for_a_moment(task: Task) -> bool:
    """Whether it sleeps for less than a second, in the end at least; one whose time is over has no
    timer any more that would tell how much is left."""
    total = task.sleep.total_s if task.sleep else None
    if total is not None:
        return total < 1
    return (task.awaits or "").startswith(_MOMENT)
