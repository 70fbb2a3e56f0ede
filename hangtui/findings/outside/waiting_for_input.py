"""A program that waits for somebody to type: input(), or a breakpoint that was left in."""

from typing import NamedTuple

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.outside.prompts import Prompt, by_program, prompt_of, typed_inside
from hangtui.findings.package_queries import hands_over
from hangtui.findings.shapes import whole_work
from hangtui.findings.stack_queries import (
    at,
    below_application,
    callers,
    callers_of,
    depth_of,
    name_of,
    own_frame,
    still,
    told,
)
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, Process, PythonFrame, Severity, Thread

ID = "waiting-for-input"
GROUND = ONE_WAIT
HELP = """\
Somebody has to type something: input(), a prompt, or a debugger's command line that came up because
a breakpoint() was left in the code.

How it is known: the thread is in a read of standard input or of a terminal; frames of pdb or of
another debugger tell a breakpoint from a question. A program may be idle while it waits for work
from another one: a pipe or socket that is read without input() is a note, and so is what a thread
other than the main one reads, or asks for, if it does nothing else and nobody waits for it. Code
that asks in another way, as `input()` in a notebook asks its front end, is known by its function; a
warning takes several looks that all saw it. A shell (IPython) that has called nothing of the
application rests at its prompt.
"""

_DEBUGGERS = ("/ipdb/", "/IPython/", "/pudb/", "/pydevd")
_STANDARD_DEBUGGERS = ("/pdb.py", "/bdb.py")
"""Of the standard library: files of packages may have these names, too."""
_OPENS_STDIN = "/torch/distributed/__init__.py"
"""PyTorch's debugger for one rank reads from /dev/stdin."""
_INPUT = "PyFile_GetLine"
"""What input() calls where nobody sits at a terminal, Python/bltinmodule.c."""
_CURSES, _KEYS = "/curses/__init__.py", ("wgetch", "wget_wch")
"""The standard library's frames below a program of curses, and what waits for a key there."""
_TERMINAL, _CHANNELS = "terminal", ("pipe", "socket")
"""As `Surroundings.streams` tells them."""
_CALLS = {"read", "readv", "pread64", "select", "pselect6", "poll", "ppoll"}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that reads from a terminal, or from standard input."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        for thread in process.threads:
            asked = prompt_of(thread, words)
            source = _source(process, thread) if thread.blocked else None
            if asked is not None:
                found.append(_asked(thread, *asked, words))
            elif source is not None and not _is_filter(process, thread, source, words):
                found.append(_finding(thread, source, words))
    return found


class _Source(NamedTuple):
    """What a thread reads from, which is for people to type into."""

    words: str
    terminal: bool = False
    channel: bool = False
    """A pipe or a socket, into which programs write."""
    opened: bool = False
    """A debugger has opened it to read commands."""


def _is_filter(process: Process, thread: Thread, source: "_Source", words: Words) -> bool:
    """Whether it reads what a captured process has to write, and asks nobody: a program in C
    (``sort``, ``ffmpeg``), or a server that takes requests. Who waits for whom is told of there."""
    waits = words.graph.waits_of(thread.id)
    holders = [hold.target for wait in waits for hold in words.graph.holders_of(wait.target)]
    if process.python is not None:
        known = any(words.thread(one) for one in holders)
        return source.channel and known and not _asks(thread, source)
    return source.channel and bool(holders)


def _source(process: Process, thread: Thread) -> _Source | None:
    """What it reads from, if that is for people to type into."""
    call = thread.syscall
    if call is None or call.name not in _CALLS:
        return None
    streams = (process.around.streams if process.around else None) or ()
    kind = (streams[0] if streams else None) or "unknown"
    terminal, channel = kind.startswith(_TERMINAL), kind in _CHANNELS
    if call.fd == 0:
        words = f"standard input (fd 0), a {kind.replace('terminal', 'terminal:')}"
        return _Source(words, terminal, channel)
    if call.on_terminal:
        return _Source(f"a terminal ({call.detail})", terminal=True)
    if call.name == "read" and (opened := _opened(thread)):
        kind = next((one for one in _CHANNELS if f"{one}:" in (call.detail or "")), "file")
        return _Source(f"{opened} (fd {call.fd}), a {kind}", channel=kind in _CHANNELS, opened=True)
    # readline() polls its terminal before it reads.
    if _debugger(thread) is not None and call.name != "read":
        return _Source(f"standard input, a {kind}", terminal, channel)
    return None


def _opened(thread: Thread) -> str | None:
    """What the prompt of pdb reads commands from that is not descriptor 0, as a child of
    multiprocessing has to open: it is the innermost function that runs."""
    stack = thread.python_stack or ()
    debugger = _debugger(thread)
    innermost = stack[0] if stack else None
    if debugger is None or innermost is None or name_of(innermost) != "cmdloop":
        return None
    if not innermost.filename.endswith("/cmd.py") or package_of(innermost) is not None:
        return None
    own = any(one.filename.endswith(_OPENS_STDIN) for one in stack[:debugger])
    return "its standard input, opened anew" if own else "what it has opened for them"


def _asks(thread: Thread, source: _Source) -> bool:
    """Whether a person is waited for: input() was called, or the main thread reads from a terminal
    or from what is not known to be a channel."""
    asks = any(frame.function == _INPUT for frame in thread.native_stack or ())
    stack = thread.python_stack or ()
    index = application_index(stack)
    if source.channel and index is not None and hands_over(stack, index):
        return False  # a loop of commands (`Cmd.cmdloop()`) takes what is sent, and rests till then
    # A thread beside the main one often only watches whether its parent still has the other end.
    typed = thread.tid == thread.pid and not source.channel
    return asks or _debugger(thread) is not None or typed


def _is_console(thread: Thread, words: Words) -> bool:
    """Whether it does nothing but ask, beside the main thread, and nobody waits for its end or for
    what it has: a server's command line."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    beside = thread.tid != thread.pid and _debugger(thread) is None
    alone = beside and index is not None and whole_work(stack, index)
    awaited = [thread.id, *(hold.source for hold in words.graph.held_by(thread.id))]
    return alone and not any(words.graph.waiters_of(one) for one in awaited)


def _fills_screen(thread: Thread) -> bool:
    """Whether it asks for a key in a program of curses."""
    inside = (one.function or "" for one in thread.native_stack or ())
    wrapped = any(one.filename.endswith(_CURSES) for one in thread.python_stack or ())
    return wrapped or any(one.startswith(_KEYS) for one in inside)


def _debugger(thread: Thread) -> int | None:
    """The outermost frame of a Python debugger on its stack."""
    stack = thread.python_stack or ()
    inside = [index for index, frame in enumerate(stack) if _debugs(frame)]
    return inside[-1] if inside else None


def _debugs(frame: PythonFrame) -> bool:
    if any(mark in frame.filename for mark in _DEBUGGERS):
        return True
    return frame.filename.endswith(_STANDARD_DEBUGGERS) and package_of(frame) is None


def _asked(thread: Thread, prompt: Prompt, index: int, lasts: bool, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread, index)
    called = callers_of(thread, frame)
    prompt = by_program(prompt, words.capture.process(thread.pid))
    asking = (thread.python_stack or ())[index]
    seen = words.progress.get(thread.id)
    wait = words.graph.wait_of(thread.id)
    accepts = wait is not None and words.operation(wait) == "accept"
    port = f" ({words.name(wait.target)})" if wait and accepts else ""
    package = package_of(asking)
    how = "it waits in accept()" if accepts else prompt.how
    within = f", in {package}," if package and accepts else ""
    inside = typed_inside(thread, prompt, words)
    looks = f", in each of {seen.looks} looks over {seen.lasted_s:.1f} s" if seen and lasts else ""
    return Finding(
        id=ID,
        # A shell that nothing of the application runs rests at its prompt.
        severity=Severity.WARNING
        if lasts and prompt.warns and below_application(thread)
        else Severity.NOTE,
        certainty=Certainty.CERTAIN,
        title=f"{name} waits for {prompt.whom} to {prompt.does}{at(frame)}",
        sentence=(
            f"{name} waits{at(frame)}{called}{within} for {prompt.whom}: {prompt.asks}{port}, "
            f"{prompt.not_yet}.{prompt.behind}{inside}"
        ),
        threads=(ref(thread),),
        owed=bool(inside),  # who asks with what nobody but itself would answer
        evidence=(f"{told(asking)} is on its stack{looks}: {how}",),
        unknown=() if inside else ("whether anybody sees that",),
        advice=(prompt.advice,),
    )


def _finding(thread: Thread, source: _Source, words: Words) -> Finding:
    name, outermost = words.thread_name(thread), _debugger(thread)
    wait = words.graph.wait_of(thread.id)
    writers = [words.name(h.target) for h in words.graph.holders_of(wait.target)] if wait else []
    asks = thread.is_python and _asks(thread, source)
    is_typed_by_program = bool(writers) and source.terminal and outermost is None
    frame = own_frame(thread, (outermost or -1) + 1)
    where = told(frame)
    at = f" at {where}" if where else ""
    who = f" Only {', '.join(writers[:3])} could write to it." if writers else ""
    index = depth_of(thread, frame)
    if outermost is not None:
        stdin = "" if source.opened else " on stdin"
        title = f"A breakpoint was left in the code{at}: the debugger waits for a command{stdin}"
        sentence = (
            f"{name} has stopped{at}{callers(thread, index)} at a breakpoint() or "
            "pdb.set_trace(), and the Python debugger (pdb) waits for somebody to type a command "
            f"on {source.words}.{who} The program goes on when it reads one."
        )
        advice = [
            (
                f"Remove the breakpoint{at}, or start the program with PYTHONBREAKPOINT=0, which "
                "makes breakpoint() do nothing (not pdb.set_trace())."
            ),
            (
                "To go on now, type `c` and Enter in its terminal, or write it into the other end "
                "of that pipe."
            ),
        ]
    elif source.channel and not asks:
        title = f"{name} waits for data on stdin{at}"
        sentence = (
            f"{name} waits{at}{callers(thread, index)} for data from {source.words}, in which "
            f"nothing lies now.{who}"
        )
        advice = ["Look at who has the other end: what it was to send next, it has not sent."]
    else:
        title = f"{name} waits for input on stdin{at}"
        sentence = (
            f"{name} waits{at}{callers(thread, index)} for input from {source.words}; nothing "
            f"{'lies in it now' if source.channel else 'has been typed'}.{who}"
        )
        advice = [
            (
                "If nobody should have to type there: start it with < /dev/null, which makes the "
                "read return at once, or with the option that answers the question (--yes, "
                "--batch)."
            ),
        ]
    lines = [words.reading(wait)] if wait else []
    if thread.syscall is not None:
        detail = f": {thread.syscall.detail}" if thread.syscall.detail else ""
        lines.append(f"it sleeps in the system call {thread.syscall.name}{detail}")
    if outermost is not None:
        debugger = (thread.python_stack or ())[outermost]
        lines.append(f"frames of the debugger are on its stack: {told(debugger)} and above")
    return Finding(
        id=ID,
        # Who gets its work through a pipe may rest until there is some, and another program than
        # Python is there to be typed to: a shell, a pager, cat.
        # A program that types lets this one rest, too: what holds *that* one up is told of it.
        # A full-screen program rests until a key is pressed.
        severity=Severity.WARNING
        if asks
        and not is_typed_by_program
        and not _fills_screen(thread)
        and not _is_console(thread, words)
        else Severity.NOTE,
        certainty=Certainty.CERTAIN,
        title=title,
        sentence=sentence,
        threads=(ref(thread),),
        resources=(wait.target,) if wait else (),
        evidence=(*lines, still([thread])),
        advice=tuple(advice),
    )
