"""Who waits for a person without reading standard input: known by the function that asks."""

from dataclasses import replace

from hangtui.dataclass import dataclass
from hangtui.findings.stack_queries import index_of
from hangtui.findings.words import Words
from hangtui.model import Process, Thread


@dataclass(frozen=True, slots=True)
class Prompt:
    """A function that shows a question and waits for the answer."""

    file: str
    """How the name of its file ends."""
    function: str
    asks: str
    """Whom it asks or waits for, as a clause."""
    behind: str = ""
    """What waits behind it, as a sentence."""
    whom: str = "a person"
    """Who is waited for."""
    does: str = "answer"
    """What that one has to do."""
    not_yet: str = "which has not answered"
    typed: bool = False
    """It reads keys: mostly from a terminal, but a program may write them as well."""
    how: str = "it polls for the answer"
    """What shows that it waits."""
    warns: bool = True
    """It is a warning if it lasts: a window that is shown may be what the program is for."""
    advice: str = (
        "Answer it, or interrupt it. What runs unattended should ask nothing: pass "
        "the answer as an argument, or have the front end say that it takes no input."
    )


_PORT = Prompt(
    "/remote_pdb.py",
    "__init__",
    "a breakpoint that was left there listens at a port, for somebody to debug from",
    whom="a debugger",
    does="connect",
    not_yet="and nobody has connected",
    advice="Connect to that port (telnet, nc), type `c` and Enter; and take the breakpoint out.",
)
_FIGURE = Prompt(
    "/matplotlib/pyplot.py",
    "show",
    "matplotlib's show() comes back once all its windows are closed, or its web server (WebAgg) is "
    "stopped",
    whom="somebody",
    does="close the figure",
    not_yet="which has not happened",
    how="the event loop of the windows runs inside of it",
    warns=False,
    advice=(
        "Where nobody looks at the figures, choose the backend that draws to files alone "
        "(MPLBACKEND=Agg): show() comes back at once then. Or call show(block=False)."
    ),
)
_PROMPTS = (
    _FIGURE,
    replace(
        _FIGURE,
        file="/matplotlib/_blocking_input.py",
        function="blocking_input_loop",
        asks="matplotlib waits for clicks or keys in its figure (ginput, waitforbuttonpress)",
        whom="a person",
        does="click in the figure",
        not_yet="and none has come",
        warns=True,
        advice="Click in the figure, or give the call a timeout.",
    ),
    Prompt(
        "/ipykernel/kernelbase.py",
        "_input_request",
        "input() asks the front end (client) of the Jupyter kernel over ZeroMQ",
        " Cells sent since then wait behind it.",
    ),
    Prompt(
        *("/prompt_toolkit/shortcuts/prompt.py", "prompt"),
        "prompt_toolkit shows a prompt and waits",
        typed=True,
    ),
    Prompt(
        *("/prompt_toolkit/application/application.py", "run"),
        "prompt_toolkit shows a dialogue",
        typed=True,
    ),
    Prompt(
        "/pydevd.py",
        "_wait_for_attach",
        "debugpy.wait_for_client() goes on once one attaches to debugpy.listen()'s port",
        whom="a debugger",
        does="attach",
        not_yet="and none has",
        advice=(
            "Attach a debugger to the port that debugpy.listen() was given; or leave "
            "debugpy.wait_for_client() out where nobody debugs."
        ),
    ),
    _PORT,
    replace(_PORT, file="/rpdb/__init__.py"),
    replace(
        _PORT,
        file="/ray/util/rpdb.py",
        function="listen",
        advice="Run `ray debug` and type `c` there; and take the breakpoint out of the task.",
    ),
    replace(_PORT, file="/celery/contrib/rdb.py"),
)


_ASKING = frozenset(prompt.function for prompt in _PROMPTS)


def prompt_of(thread: Thread, words: Words) -> tuple[Prompt, int, bool] | None:
    """The question that a thread waits for an answer to, the index of the frame that asks, and
    whether every one of several looks saw it ask."""
    seen = words.progress.get(thread.id)
    # One that asks by the clock whether the answer has come may be awake for a moment.
    asks = seen is not None and seen.same_line
    if not (thread.state == "S" or asks) or index_of(thread, _ASKING) is None:
        return None
    for prompt in _PROMPTS:
        index = index_of(thread, {prompt.function}, prompt.file)
        if index is not None:
            function = (thread.python_stack or ())[index].function
            return prompt, index, seen is not None and function in seen.common
    return None


def by_program(prompt: Prompt, process: Process | None) -> Prompt:
    """The same prompt, if nobody can type an answer: none of the process's streams is a
    terminal."""
    streams = process.around.streams if process and process.around else None
    if not prompt.typed or not streams or None in streams:
        return prompt
    terminal = any(one and one.startswith("terminal") for one in streams)
    if terminal:
        return prompt
    return replace(
        prompt,
        whom="keys",
        does="be typed",
        not_yet="and none of its standard streams is a terminal: a program may have to write them",
        advice=(
            "Look at who writes what it reads: a last Enter is missing, or that one has ended. In "
            "a test, send all keys first."
        ),
    )


def typed_inside(thread: Thread, prompt: Prompt, words: Words) -> str:
    """`` Only this process has the other end of that, and MainThread is its only thread: nobody
    else can write.``, of keys that nobody outside can write; empty: somebody could, or that is not
    known."""
    known = next((one for one in words.capture.inward if one.thread == thread.id), None)
    process = words.capture.process(thread.pid)
    if known is None or process is None or not prompt.typed:
        return ""
    if known.accepts or set(known.ends) != {thread.pid}:
        return ""
    alone = len(process.threads) == 1
    name = words.thread_name(thread)
    end = f", of which {name} is the only thread: nobody else can write" if alone else ""
    return f" Only this process itself has the other end of that{end}."
