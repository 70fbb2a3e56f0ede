import pytest

from hangtui.backends.debugger.commands import refusal


@pytest.mark.parametrize(
    "command",
    [
        "info threads", "i r", "bt", "thread apply all bt", "p *(int *)$rdi", "x/4gx $rsp",
        "up", "down", "frame 3", "f 3", "disassemble", "ptype struct x", "list", "python print(1)",
        "set print pretty on", "where", "show version", "info sharedlibrary", "whatis 1",
        "thread 2", "frame function work", "with print pretty on -- p 1",
    ],
)  # fmt: skip
def test_looking_is_passed_on(command: str) -> None:
    assert refusal(command, live=False) is None
    assert refusal(command, live=True) is None


@pytest.mark.parametrize(
    "command",
    [
        "run", "r", "start", "attach 1", "att 1", "detach", "kill", "k", "continue", "cont", "c",
        "step", "s", "next", "stepi", "finish", "fin", "until", "jump 1", "signal 9", "target x",
        "targ core x", "generate-core-file", "gcore", "checkpoint", "compile code 1", "  run",
        "thread apply all kill", "thread apply 1 -q run", "frame apply all detach",
        "with print pretty on -- kill", "python gdb.execute('continue')",
        'interpreter-exec mi "kill"', "taas detach",
    ],
)  # fmt: skip
def test_what_begins_or_changes_processes_is_not(command: str) -> None:
    copied, live = refusal(command, live=False), refusal(command, live=True)

    assert copied
    assert "A stops it" in copied
    assert live
    assert "R lets it go" in live


@pytest.mark.parametrize(
    "command",
    ["!ls", "shell", "shell ls", "| bt | wc", "pipe bt | wc", "make", "edit", "python", "define x",
     "commands", "while 1", "quit", "q", "set may-write-memory on", "", "  "],
)  # fmt: skip
def test_what_would_lose_the_console_or_its_safety_is_not(command: str) -> None:
    assert refusal(command, live=False)
