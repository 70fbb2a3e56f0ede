"""What lies in the rings of messages between the processes of a server, as both ends record it."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from hangtui.dataclass import dataclass
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.child_ends import ended_children, short_ended, told_ended
from hangtui.findings.ended import told_any_gone
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.stack_queries import does, main_thread, name_of, stood_s
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Capture, Pid, RingEnd, Thread

_FILE = "/vllm/distributed/device_communicators/shm_broadcast.py"
_WRITES, _READS = "acquire_write", "acquire_read"
"""In which functions a writer waits for room, and a reader for a message."""
_MEETS = "wait_until_ready"
"""In which function all ends wait until each of them is there."""


@dataclass(frozen=True, slots=True)
class RingWait:
    """What a thread waits for at its end of a ring."""

    goal: str
    """``for room in its ring of 4 messages``."""
    told: str
    """Who could end it, and what that one does, as sentences."""
    short: str = ""
    """The same for a title."""
    stood_s: float = 0.0
    """For how long that was surely so."""
    calm: bool = False
    """Who is to write waits for others itself, or who is to read goes on by the clock."""
    in_turn: bool = False
    """All who are to end it wait for who waits here."""


def unread_by(pid: Pid, capture: Capture) -> int | None:
    """How many messages lie in the rings that a process reads from; None: it is not known."""
    ends = _read_by(pid, capture)
    return sum(end.untaken for end in ends) if ends else None


def command_taken(pid: Pid, capture: Capture, asked: str = "") -> str:
    """``, which has taken the last command``, of a worker; `` to answer load_weights, which it has
    taken``, where it is known what was *asked* of it. Empty: nothing is known."""
    lies = unread_by(pid, capture)
    answers = f" to answer {asked}" if asked else ""
    if lies is None:
        return answers
    has = f"has {'not ' if lies else ''}taken"
    return f"{answers}, which it {has}" if asked else f", which {has} {_last(lies)}"


def command_left(pid: Pid, name: str, capture: Capture) -> str:
    """`` Worker_TP1 has not taken the last command, which lies in its ring of messages.``"""
    lies = unread_by(pid, capture)
    if not lies:
        return ""
    lie = "lies" if lies == 1 else "lie"
    who = f"{name[:1].upper()}{name[1:]}"
    return f" {who} has not taken {_last(lies)}, which {lie} in its ring of messages."


def answerer(pid: Pid, capture: Capture) -> RingEnd | None:
    """The worker's end of the ring in which a process waits for the answer to a command: whom it
    waits for now. None: it is not known."""
    ours = next((one for one in _read_by(pid, capture) if one.asked is not None), None)
    others = [one for one in capture.ring_ends if ours and one.ring == ours.ring and one.writes]
    return replace(others[0], asked=ours.asked) if ours and len(others) == 1 else None


def _read_by(pid: Pid, capture: Capture) -> list[RingEnd]:
    """The ends of rings from which a process reads."""
    return [end for end in capture.ring_ends if end.pid == pid and not end.writes]


def _last(count: int) -> str:
    return "the last command" if count < 2 else f"the last {counted(count, 'command')}"


def nothing_lies(pids: Sequence[Pid], capture: Capture) -> list[RingEnd] | None:
    """The ends of rings from which *pids* read, if these of each are known and nothing lies in any;
    None: they are not, or something does."""
    found = []
    for pid in pids:
        ends = _read_by(pid, capture)
        if not ends or any(end.untaken for end in ends):
            return None
        found += ends
    return found


def ring_wait(thread: Thread, words: Words) -> RingWait | None:
    """What a thread waits for at its end of a ring: room, a message, or the other ends; None: for
    none of these."""
    for frame in thread.python_stack or ():
        if frame.filename.endswith(_FILE) and name_of(frame) == _MEETS:
            return _for_readers(thread, words)
        if frame.filename.endswith(_FILE) and name_of(frame) in (_WRITES, _READS):
            writes = name_of(frame) == _WRITES
            return _for_room(thread, words) if writes else _for_message(thread, words)
    return None


def _for_room(thread: Thread, words: Words) -> RingWait | None:
    """Who has not taken what lies there."""
    full = _full(thread.pid, words.capture)
    if full is None:
        return None
    goal = f"for room in its ring of {counted(full.places, 'message')}"
    others = [one for one in words.capture.ring_ends if one.ring == full.ring and not one.writes]
    late = [main for one in others if one.untaken and (main := _main_of(one.pid, words))]
    if not late:
        return _nobody_late(thread, goal, others, words)
    first, names = late[0], [words.process_name(main.pid) for main in late]
    back = any(
        (ender := words.thread(hold.target)) is not None and ender.pid == thread.pid
        for wait in words.graph.waits_of(first.id)
        for hold in words.graph.holders_of(wait.target)
    )
    each = f", which {words.process_name(thread.pid)} is to bring: each waits for the other"
    who, have = listed(names), "has" if len(names) == 1 else "have"
    told = (
        f"{who[:1].upper()}{who[1:]} {have} not taken what lies there. "
        f"Now {does(first, words)}{each if back else ''}."
    )
    # What lies there has lain there as long as who is to take it did not run.
    stood = min(stood_s(first, words), _stayed_s(thread, words))
    calm = goes_on(first, words)
    return RingWait(goal, told, f", from which {who} {have} not taken", stood, calm)


def _nobody_late(thread: Thread, goal: str, others: Sequence[RingEnd], words: Words) -> RingWait:
    """Of a full ring all of whose readers that were looked at have taken what lies there: that
    children of its writer have ended."""
    process = words.capture.process(thread.pid)
    gone = ended_children(process) if process else []
    if not gone:
        return RingWait(goal, "Which reader has not taken these was not captured.")
    taken = listed([words.process_name(one.pid) for one in others])
    have = "has" if len(others) == 1 else "have"
    told = f"{taken[:1].upper()}{taken[1:]} {have} taken all." if others else ""
    told += told_ended(gone, f"{words.process_name(thread.pid)}'s")
    return RingWait(goal, told.strip(), short_ended(gone), _stayed_s(thread, words))


def _stayed_s(thread: Thread, words: Words) -> float:
    """For how long every look met it where a writer waits for room."""
    seen = words.progress.get(thread.id)
    stays = seen is not None and _WRITES in {one.rpartition(".")[2] for one in seen.common}
    return seen.lasted_s if seen is not None and stays else 0.0


def _for_message(thread: Thread, words: Words) -> RingWait | None:
    """Who writes there, and what that one does."""
    ours = [one for one in _read_by(thread.pid, words.capture) if not one.untaken]
    rings = {one.ring for one in ours}
    writers = [one for one in words.capture.ring_ends if one.writes and one.ring in rings]
    main = _main_of(writers[0].pid, words) if len(ours) == len(writers) == 1 else None
    if main is None:
        return None
    waits = _full(main.pid, words.capture) is not None
    name = words.process_name(main.pid)
    sends = would_send({main.pid}, words.capture)
    gone = told_any_gone(words.capture.process(main.pid), name) if sends else ""
    told = f"{name[:1].upper()}{name[1:]} writes there. Now {does(main, words)}.{sends}{gone}"
    return RingWait("for a message in its ring", told, calm=waits)


def would_send(pids: Collection[Pid], capture: Capture) -> str:
    """`` The program sends there in answer (server.py:24), which no thread is inside of.``"""
    found = [one for one in capture.message_senders if one.pid in pids]
    places = joined(list(dict.fromkeys(place for one in found for place in one.places)))
    return f" The program sends there in {places}, which no thread is inside of." if places else ""


def _for_readers(thread: Thread, words: Words) -> RingWait | None:
    """Which readers are there, and what those do, of a ring that goes on once all have come."""
    ours = [one for one in words.capture.ring_ends if one.pid == thread.pid and one.readers]
    if len(ours) != 1:
        return None
    own = ours[0]
    ends = [one for one in words.capture.ring_ends if one.ring == own.ring]
    goal = f"until all {counted(own.readers, 'reader')} of its ring of messages have come"
    writers = [main for one in ends if one.writes and (main := _main_of(one.pid, words))]
    if not own.writes:
        goal = f"for the writer of its ring of messages, who waits {goal}"
        told = "".join(f"Now {does(main, words)}." for main in writers)
        return RingWait(goal, told or "The writer was not captured.", calm=bool(writers))
    mains = [main for one in ends if not one.writes and (main := _main_of(one.pid, words))]
    if not mains:
        return RingWait(goal, "None of them is seen to have come.")
    if len(mains) >= own.readers:
        return RingWait(goal, "All of them are there.", calm=True)
    names = joined([words.process_name(main.pid) for main in mains[:NAMES_LISTED]])
    there = f"{names} {'is' if len(mains) == 1 else 'are'} there"
    doing = "".join(f" Now {does(main, words)}." for main in mains[:NAMES_LISTED])
    missing = counted(own.readers - len(mains), "reader")
    told = (
        f"Of {len(mains)} is seen that they have come: {names}. {missing} more "
        f"{'was' if own.readers - len(mains) == 1 else 'were'} not captured, or never started."
        f"{doing}"
    )
    return RingWait(goal, told, f", of whom only {there}")


def _full(pid: Pid, capture: Capture) -> RingEnd | None:
    """The one ring of a writer that has no room."""
    ends = [one for one in capture.ring_ends if one.pid == pid and one.writes]
    full = [one for one in ends if one.places and one.untaken >= one.places]
    return full[0] if len(full) == 1 else None


def _main_of(pid: Pid, words: Words) -> Thread | None:
    process = words.capture.process(pid)
    return main_thread(process) if process else None
