"""Who asks a person by other ways than standard input."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    EventLoop,
    Finding,
    Inward,
    LoopState,
    NodeKind,
    Progress,
    PythonInfo,
    Severity,
    Surroundings,
    Syscall,
)
from tests.unit.factories import (
    capture,
    holds,
    lock,
    native_frame,
    python_frame,
    thread,
    waits,
)

KERNEL = "/venv/lib/python3.12/site-packages/ipykernel/kernelbase.py"
POLL = "/venv/lib/python3.12/site-packages/zmq/sugar/poll.py"


def asking(function: str = "IPythonKernel._input_request", *, looks: bool = True) -> Capture:
    """A cell of a notebook in input(), which polls every 10 ms."""
    frames = [
        python_frame("select", 1, POLL),
        python_frame(function, 2, KERNEL),
        python_frame("ask_user", 3, "/tmp/ipykernel_1/1.py"),
    ]
    main = thread("MainThread", still=False, python=frames)
    seen = Progress(main.id, 5, 2.0, 0.0, 0.01, common=("ask_user", function))
    return replace(capture(main), progress=(seen,) if looks else ())


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "waiting-for-input"), None)


def test_input_of_a_notebook_waits_for_its_front_end() -> None:
    finding = told(asking())

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert "MainThread waits at 1.py:3 (ask_user) for a person: input() asks the front end" \
        in finding.sentence  # fmt: skip


@pytest.mark.parametrize("embedded", [True, False])
def test_a_shell_of_its_own_rests_at_its_prompt(*, embedded: bool) -> None:
    site = "/venv/lib/python3.12/site-packages"
    frames = [
        python_frame("PromptSession.prompt", 1035, f"{site}/prompt_toolkit/shortcuts/prompt.py"),
        python_frame("Application.launch_instance", 1080, f"{site}/traitlets/application.py"),
        *([python_frame("look_inside", 9)] if embedded else []),
    ]
    main = thread("MainThread", still=False, python=frames)
    seen = Progress(main.id, 5, 2.0, 0.0, 0.01, common=("PromptSession.prompt",), same_line=True)
    finding = told(replace(capture(main), progress=(seen,)))

    assert finding is not None
    assert finding.severity is (Severity.WARNING if embedded else Severity.NOTE)


def test_who_waits_for_a_debugger_is_told_as_that() -> None:
    file = "/venv/lib/python3.12/site-packages/debugpy/_vendored/pydevd/pydevd.py"
    frames = [python_frame("_wait_for_attach", 3040, file), python_frame("start_worker", 10)]
    main = thread("MainThread", still=False, python=frames)
    common = ("start_worker", "_wait_for_attach")
    seen = Progress(main.id, 5, 2.0, 0.0, 0.01, common=common)
    finding = told(replace(capture(main), progress=(seen,)))

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "MainThread waits for a debugger to attach at main.py:10 (start_worker)"
    )
    assert "attaches to debugpy.listen()'s port, and none has." in finding.sentence
    assert finding.advice[0].startswith("Attach a debugger")
    elsewhere = thread("MainThread", python=[python_frame("_wait_for_attach", 3)])
    assert told(capture(elsewhere)) is None


@pytest.mark.parametrize(
    ("file", "function", "rests"),
    [
        ("remote_pdb.py", "RemotePdb.__init__", False),
        ("ray/util/rpdb.py", "_RemotePdb.listen", False),
        ("remote_pdb.py", "serve", True),
    ],
)
def test_a_breakpoint_that_listens_is_no_server_at_rest(
    file: str, function: str, *, rests: bool
) -> None:
    file = f"/venv/lib/python3.12/site-packages/{file}"
    frames = [
        python_frame("socket.accept", 295, "/usr/lib/python3.12/socket.py"),
        python_frame(function, 78, file),
        python_frame("Route.length", 18),
        python_frame("plan_routes", 25),
    ]
    main = thread("MainThread", python=frames)
    port = lock("TCP port 127.0.0.1:4444", 0x1, NodeKind.SOCKET)
    made = capture(main, resources=[port], waits=[waits(main, port, operation="accept")])
    common = ("Route.length", "plan_routes", function)
    seen = Progress(main.id, 5, 2.0, 2.0, 0.0, common=common)
    made = replace(made, progress=(seen,))
    finding = told(made)

    assert any(one.id == "idle" for one in findings.run(made)) is rests
    assert (finding is None) is rests
    if finding is not None:
        assert finding.severity is Severity.WARNING
        assert finding.title == (
            "MainThread waits for a debugger to connect at main.py:18 (Route.length)"
        )
        assert "(the TCP port 127.0.0.1:4444), and nobody has connected." in finding.sentence


@pytest.mark.parametrize(
    ("stream", "ends", "person", "inside"),
    [
        ("terminal /dev/pts/1", (), True, False),
        ("/dev/null", (), False, False),
        ("/dev/null", (100,), False, True),
        ("/dev/null", (100, 200), False, False),
    ],
)
def test_keys_that_a_program_types(
    stream: str, ends: tuple[int, ...], *, person: bool, inside: bool
) -> None:
    file = "/venv/lib/python3.12/site-packages/prompt_toolkit/shortcuts/prompt.py"
    frames = [python_frame("PromptSession.prompt", 9, file), python_frame("ask_seat", 18)]
    main = thread("MainThread", 100, 100, python=frames)
    made = capture(main)
    around = Surroundings(streams=(stream,) * 3)
    made = replace(made, processes=(replace(made.processes[0], around=around),))
    made = replace(made, inward=(Inward(main.id, ends),) if ends else ())
    finding = told(made)

    assert finding is not None
    what = "a person to answer" if person else "keys to be typed"
    assert finding.title == f"MainThread waits for {what} at main.py:18 (ask_seat)"
    said = "of which MainThread is the only thread: nobody else can write."
    assert finding.sentence.endswith(said) is inside


def test_a_figure_that_nobody_closes_is_no_rest_and_no_warning() -> None:
    file = "/venv/lib/python3.12/site-packages/matplotlib/pyplot.py"
    frames = [python_frame("select", 468, "/usr/lib/python3.12/selectors.py")]
    frames += [python_frame("show", 646, file), python_frame("Report.draw", 21)]
    main = replace(thread("MainThread", 100, 100, python=frames), state="S")
    loop = EventLoop(100, 9, "loop", LoopState.IDLE, 100, watched=1)
    found = findings.run(replace(capture(main), event_loops=(loop,)))

    assert [(one.id, one.severity) for one in found] == [("waiting-for-input", Severity.NOTE)]
    assert found[0].title == (
        "MainThread waits for somebody to close the figure at main.py:21 (Report.draw)"
    )


def test_one_look_alone_makes_no_warning_of_it() -> None:
    finding = told(asking(looks=False))

    assert finding is not None
    assert finding.severity is Severity.NOTE


def test_another_function_of_that_file_asks_nobody() -> None:
    assert told(asking("IPythonKernel.execute_request")) is None


@pytest.mark.parametrize(
    ("stream", "called", "said"),
    [
        ("pipe", "os_read", "for data from standard input (fd 0), a pipe, in which nothing lies"),
        ("pipe", "PyFile_GetLine", "a pipe; nothing lies in it now"),
        ("terminal /dev/pts/3", "os_read", "nothing has been typed"),
    ],
    ids=["a channel", "input() from one", "a keyboard"],
)
def test_a_pipe_on_standard_input_is_no_keyboard(stream: str, called: str, said: str) -> None:
    reads = thread(
        "MainThread",
        python=[python_frame("serve", 2)],
        native=[native_frame("read"), native_frame(called)],
        syscall=Syscall("read", fd=0),
    )
    made = capture(reads)
    (process,) = made.processes
    around = Surroundings(streams=(stream, "pipe", "pipe"))
    finding = told(replace(made, processes=(replace(process, around=around),)))

    assert finding is not None
    assert said in finding.sentence
    channel = stream == "pipe" and called == "os_read"
    assert ("/dev/null" not in finding.advice[0]) is channel
    assert finding.severity is (Severity.NOTE if channel else Severity.WARNING)


def test_a_server_that_a_captured_process_feeds_asks_nobody() -> None:
    """Who waits for whom is told of there."""
    serves = replace(
        thread("MainThread", python=[python_frame("serve", 2)], syscall=Syscall("read", fd=0)),
        is_python=True,
    )
    client = replace(thread("MainThread", 200), pid=200)
    pipe = lock("the stdin pipe", 0x9, NodeKind.PIPE)
    made = capture(
        serves,
        resources=[pipe],
        waits=[waits(serves, pipe, operation="read")],
        holds=[holds(pipe, client)],
    )
    (process,) = made.processes
    process = replace(
        process,
        around=Surroundings(streams=("pipe", "pipe", "pipe")),
        python=PythonInfo("3.12.1"),
    )
    fed = replace(made, processes=(process, replace(process, pid=200, threads=(client,))))
    alone = replace(made, processes=(process,), holds=())

    assert told(fed) is None
    assert told(alone) is not None


@pytest.mark.parametrize(
    ("file", "stopped"),
    [
        ("/usr/lib/python3.12/pdb.py", True),
        ("/venv/lib/python3.12/site-packages/git/cmd.py", False),
        ("/venv/lib/python3.12/site-packages/proteins/pdb.py", False),
    ],
)
def test_only_a_debugger_stops_at_a_breakpoint(file: str, *, stopped: bool) -> None:
    """Files of packages have names as modules of the standard library have."""
    frames = [python_frame("communicate", 9, file), python_frame("read_branches", 11)]
    reads = thread("MainThread", python=frames, syscall=Syscall("poll"))
    made = capture(reads)
    (process,) = made.processes
    around = Surroundings(streams=("pipe", "pipe", "pipe"))
    finding = told(replace(made, processes=(replace(process, around=around),)))

    assert (finding is not None) is stopped
    if finding is not None:
        assert finding.title.startswith("A breakpoint was left in the code at main.py:11")


@pytest.mark.parametrize("full_screen", [True, False])
def test_a_full_screen_program_rests_until_a_key_is_pressed(*, full_screen: bool) -> None:
    curses = python_frame("wrapper", 94, "/usr/lib/python3.12/curses/__init__.py")
    frames = [python_frame("choose", 8), *([curses] if full_screen else [])]
    main = thread("MainThread", python=frames)
    keys = Syscall("read", "/dev/pts/0", fd=0)
    made = capture(replace(main, tid=main.pid, syscall=keys))
    around = Surroundings(streams=("terminal /dev/pts/0",) * 3)
    made = replace(made, processes=(replace(made.processes[0], around=around),))
    finding = told(made)

    assert finding is not None
    assert finding.severity is (Severity.NOTE if full_screen else Severity.WARNING)


def test_a_debugger_that_opened_its_input_anew_waits_for_a_command_there() -> None:
    """As torch's `dist.breakpoint` does, and whoever debugs a child of multiprocessing."""
    torch = "/venv/lib/python3.12/site-packages/torch/distributed/__init__.py"
    frames = [
        python_frame("cmdloop", 126, "/usr/lib/python3.12/cmd.py"),
        python_frame("interaction", 433, "/usr/lib/python3.12/pdb.py"),
        python_frame("interaction", 93, torch),
        python_frame("trace_dispatch", 90, "/usr/lib/python3.12/bdb.py"),
        python_frame("breakpoint", 134, torch),
        python_frame("look_into", 12),
    ]
    asks = Syscall("read", detail="fd 9 pipe:[7]", fd=9)
    reads = thread("MainThread", python=frames, syscall=asks)
    program = replace(reads, python_stack=(python_frame("read", 3), *frames[3:]))
    by_hand = replace(reads, python_stack=(*frames[:2], *frames[3:4], frames[5]))
    finding, other = told(capture(reads)), told(capture(by_hand))

    assert told(capture(program)) is None
    assert finding is not None
    assert other is not None
    assert finding.severity is Severity.WARNING
    assert "main.py:12 (look_into)" in finding.title
    assert "on its standard input, opened anew (fd 9), a pipe" in finding.sentence
    assert "on what it has opened for them (fd 9), a pipe" in other.sentence


@pytest.mark.parametrize(
    ("joined", "frames", "severity"),
    [
        (False, ["console"], Severity.NOTE),
        (True, ["console"], Severity.WARNING),
        (False, ["ask", "work"], Severity.WARNING),
    ],
    ids=["a server's command line", "whose end is waited for", "in the midst of work"],
)
def test_a_thread_that_does_nothing_but_ask_rests(
    joined: bool, frames: list[str], severity: Severity
) -> None:
    asks = thread(
        "console-0",
        101,
        python=[python_frame(one, 2) for one in frames],
        native=[native_frame("read"), native_frame("PyFile_GetLine")],
        syscall=Syscall("read", fd=0),
    )
    main = thread("MainThread", python=[python_frame("serve_forever", 9)])
    made = capture(main, asks, waits=[waits(main, asks)] if joined else [])
    (process,) = made.processes
    around = Surroundings(streams=("terminal /dev/pts/3", "pipe", "pipe"))
    finding = told(replace(made, processes=(replace(process, around=around),)))

    assert finding is not None
    assert finding.severity is severity
