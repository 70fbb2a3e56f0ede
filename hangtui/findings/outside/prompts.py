"""Who waits for a person without reading standard input: known by the function that asks."""

from hangtui.dataclass import dataclass
from hangtui.findings.stack_queries import index_of
from hangtui.findings.words import Words
from hangtui.model import Thread


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
    advice: str = (
        "Answer it, or interrupt it. What runs unattended should ask nothing: pass "
        "the answer as an argument, or have the front end say that it takes no input."
    )


_PORT = {
    "asks": "a breakpoint that was left there listens at a port, for somebody to debug from",
    "whom": "a debugger",
    "does": "connect",
    "not_yet": "and nobody has connected",
    "advice": "Connect to that port (telnet, nc), type `c` and Enter; and take the breakpoint out.",
}
_PROMPTS = (
    Prompt(
        "/ipykernel/kernelbase.py",
        "_input_request",
        "input() asks the front end (client) of the Jupyter kernel over ZeroMQ",
        " Cells sent since then wait behind it.",
    ),
    Prompt(
        "/prompt_toolkit/shortcuts/prompt.py", "prompt", "prompt_toolkit shows a prompt and waits"
    ),
    Prompt("/prompt_toolkit/application/application.py", "run", "prompt_toolkit shows a dialogue"),
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
    Prompt("/remote_pdb.py", "__init__", **_PORT),
    Prompt("/rpdb/__init__.py", "__init__", **_PORT),
    Prompt("/celery/contrib/rdb.py", "__init__", **_PORT),
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
