"""The commands: what they are given, print, write, and with which code they exit."""

import argparse
import json
import os
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hangtui.backends.capture import collector as collect_module
from hangtui.backends.supervision import flat
from hangtui.backends.supervision.supervisor import LateError
from hangtui.capture_file import load, save
from hangtui.cli import check, reading, screens
from hangtui.cli.file_provider import FileProvider
from hangtui.cli.main import main
from hangtui.debugger import DebuggerFactory
from hangtui.diagnosis import diagnose
from hangtui.model import Capture, Certainty, Gap, Notice, Part, Process, TargetError, Thread
from hangtui.provider import CaptureProvider, CaptureRequest, MachineProvider, NativeMode
from hangtui.tui import running
from tests.unit.factories import abba, capture, python_frame, thread

HEALTHY = capture(thread("MainThread", python=[python_frame("serve")]))
BLIND = replace(
    capture(Thread(100, 100, "MainThread", "S", still=True)),
    notices=(Notice("procfs", "may not read its memory", "sudo hangtui", 100),),
)
NOT_LOOKED_AT = (
    "process {} was not looked at well enough: not read: its stacks and waits (may not read its "
    "memory)"
)


class Here:
    """Takes captures in this process, so that a test can say what there is to read."""

    def start(self) -> None:
        """Nothing has to be started."""

    late = False
    """Whether the time is over before the last capture."""

    def take(
        self, request: CaptureRequest, *, steps: bool = False, until: float | None = None
    ) -> Iterator[bytes]:
        """As the reader does."""
        found = [*map(flat.encode, collect_module.collect(request))]
        yield from found[:-1] if self.late else found
        assert steps is (until is not None)
        if self.late:
            raise LateError


@pytest.fixture(autouse=True)
def _read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "reader", Here)


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[CaptureRequest]:
    """What `collect` was asked for; it gives the deadlock of `abba` in two steps."""
    return collecting(monkeypatch, replace(abba(), waits=()), abba())


def collecting(monkeypatch: pytest.MonkeyPatch, *steps: Capture) -> list[CaptureRequest]:
    asked: list[CaptureRequest] = []

    def fake(request: CaptureRequest) -> Iterator[Capture]:
        asked.append(request)
        yield from steps

    monkeypatch.setattr(collect_module, "collect", fake)
    return asked


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fake(_: CaptureRequest) -> Iterator[Capture]:
        yield from ()
        raise error

    monkeypatch.setattr(collect_module, "collect", fake)


def saved(path: Path, made: Capture) -> str:
    save(made, path)
    return str(path)


def test_dump_prints_the_last_capture(
    requests: list[CaptureRequest], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dump", "100"]) == 0

    printed = capsys.readouterr()
    assert printed.out.startswith("ERROR: Deadlock: worker-a and worker-b")
    assert printed.err == ""
    assert requests == [CaptureRequest((100,), children=False, follow=True)]


def test_dump_passes_its_options_on(requests: list[CaptureRequest]) -> None:
    assert main(["dump", "100", "--children", "101", "--native", "gdb", "100"]) == 0

    (request,) = requests  # a second one would stop them twice
    assert request == CaptureRequest((100, 101), children=True, native=NativeMode.GDB, follow=True)


@pytest.mark.usefixtures("requests")
def test_dump_json_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", "--json", "100"]) == 0

    assert json.loads(capsys.readouterr().out)["findings"][0]["id"] == "deadlock"


@pytest.mark.usefixtures("requests")
def test_dump_writes_into_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.txt"
    assert main(["dump", "100", "-o", str(report)]) == 0

    assert capsys.readouterr() == ("", "")
    assert report.read_text().startswith("ERROR: Deadlock")
    assert "┏▶ ● worker-a" in report.read_text()
    assert stat.S_IMODE(report.stat().st_mode) == 0o600


def test_a_file_works_like_a_pid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", saved(tmp_path / "x.hang", abba())]) == 0

    assert capsys.readouterr().out.startswith("ERROR: Deadlock")


def test_files_and_processes_become_one_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    collecting(monkeypatch, replace(capture(thread("other", 200, 200)), host="far"))
    path = saved(tmp_path / "x.hang", abba())
    assert main(["dump", "--json", path, "200"]) == 0

    got = json.loads(capsys.readouterr().out)
    assert [process["pid"] for process in got["processes"]] == [100, 200]
    assert got["host"] == "gpu-17, far"
    assert len(got["cycles"]) == 1


def test_one_pid_in_two_captures_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [saved(tmp_path / name, abba()) for name in ("a.hang", "b.hang")]

    assert main(["dump", *paths]) == 2
    assert "PID 100 of gpu-17 is in more than one of these captures" in capsys.readouterr().err


def test_a_target_that_cannot_be_read_is_one_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(monkeypatch, TargetError("no process has the PID 100", "look at\x1b[31m them"))

    assert main(["dump", "100"]) == 2
    assert capsys.readouterr() == (
        "",
        "hangtui: no process has the PID 100\n  fix: look at\ufffd[31m them\n",
    )


def test_record_writes_a_capture_and_says_so(
    requests: list[CaptureRequest], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.hang"
    assert main(["record", "100", "-o", str(path), "--children"]) == 0

    assert load(path).waits == abba().waits
    assert capsys.readouterr() == ("", f"wrote {path}: 1 process, 3 threads\n")
    assert requests[0].children


def test_record_takes_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "x.hang", abba())

    assert main(["record", path, "-o", str(tmp_path / "y.hang")]) == 2
    assert "is not a PID" in capsys.readouterr().err
    assert not (tmp_path / "y.hang").exists()


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (HEALTHY, 0),
        (abba(), 1),
        (abba(Certainty.INFERRED), 0),
        (BLIND, 2),
        (replace(abba(), processes=(*abba().processes, *capture(thread("x", 7, 7)).processes)), 1),
        (Capture("2030-01-01T00:00:00+00:00", "h"), 2),
    ],
    ids=["healthy", "deadlock", "possible", "blind", "one of two", "nothing"],
)
def test_check_exits_with_what_it_found(tmp_path: Path, made: Capture, code: int) -> None:
    assert main(["check", saved(tmp_path / "x.hang", made)]) == code


def test_check_breaks_lines_at_the_width_of_a_terminal_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = saved(tmp_path / "x.hang", abba())
    main(["check", file])
    long = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    main(["check", file])
    short = capsys.readouterr().out
    assert max(map(len, long.splitlines())) > 100
    assert max(map(len, short.splitlines())) <= 60
    assert short.split() == long.split()


def test_check_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", saved(tmp_path / "x.hang", abba())])
    first, second, third, fourth = capsys.readouterr().out.splitlines()

    assert first.startswith("error: Deadlock: worker-a and worker-b")
    assert second.startswith("  worker-a holds Bank.left")
    assert third == "  where: bank.py:31 (transfer)"
    assert fourth.startswith("  try: Take the locks in one order everywhere. Now worker-a takes")


@pytest.mark.parametrize(
    ("made", "severity", "code"),
    [
        (abba(Certainty.INFERRED), "warning", 1),
        (abba(Certainty.INFERRED), "error", 0),
        (HEALTHY, "warning", 0),
        (abba(), "warning", 1),
        (abba(), "proven", 1),
        (abba(Certainty.INFERRED), "proven", 0),
    ],
)
def test_check_fails_from_the_severity_on_that_was_asked_for(
    tmp_path: Path, made: Capture, severity: str, code: int
) -> None:
    words = ["check", saved(tmp_path / "x.hang", made), "--fail-on", severity]
    assert main(words) == code


def test_an_error_that_is_inferred_is_no_proof_and_no_all_clear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = diagnose(abba())
    guess = replace(whole.findings[0], certainty=Certainty.INFERRED)
    monkeypatch.setattr(check, "diagnose", lambda *_: replace(whole, findings=(guess,)))
    words = ["check", saved(tmp_path / "x.hang", abba()), "--json"]

    assert main(words) == 1
    capsys.readouterr()
    assert main([*words, "--fail-on", "proven"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["hung"], told["all_clear"]) == (True, False)


def test_check_says_that_nothing_was_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", saved(tmp_path / "x.hang", HEALTHY)])

    assert capsys.readouterr() == ("nothing wrong found in 100: 1 thread looked at\n", "")


def test_check_of_all_names_those_that_it_cannot_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dark = replace(BLIND.processes[0], pid=7)
    notices = (replace(BLIND.notices[0], pid=7),)
    both = replace(HEALTHY, processes=(*HEALTHY.processes, dark), notices=notices)
    collecting(monkeypatch, both)

    assert main(["check", "--all", "--looks", "1"]) == 2
    assert capsys.readouterr() == (
        "",
        f"hangtui: {NOT_LOOKED_AT.format(7)}\n  fix: sudo hangtui\n",
    )

    collecting(monkeypatch, replace(both, processes=(dark,)))
    assert main(["check", "--all", "--looks", "1"]) == 2


def test_check_does_not_call_a_process_healthy_that_it_cannot_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", saved(tmp_path / "x.hang", BLIND)]) == 2

    assert capsys.readouterr() == (
        "",
        f"hangtui: {NOT_LOOKED_AT.format(100)}\n  fix: sudo hangtui\n",
    )


def test_check_says_of_each_process_what_was_not_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    musl = Gap("who holds locks of C code", "its C library is musl")
    well, awaited = HEALTHY.processes[0], replace(HEALTHY.processes[0], pid=7, gaps=(musl,))
    collecting(monkeypatch, replace(HEALTHY, processes=(well, awaited)))

    def check(*words: str) -> tuple[int, dict[str, Any]]:
        code = main(["check", "--json", "--looks", "1", *words])
        return code, json.loads(capsys.readouterr().out)

    code, told = check("100", "7")
    assert (code, told["hung"], told["all_clear"]) == (2, False, False)
    gap = {"what": "who holds locks of C code", "reason": "its C library is musl", "fix": None}
    assert [process["gaps"] for process in told["processes"]] == [[], [gap]]
    code, told = check("100")
    assert (code, told["all_clear"]) == (0, True)
    assert check("100", "--children")[0] == 2


def test_a_process_that_was_found_to_hang_is_that_whatever_else_was_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gap = Gap("what runs on the GPU", "for a test")
    blind = tuple(replace(process, gaps=(gap,)) for process in abba().processes)
    collecting(monkeypatch, replace(abba(), processes=blind))

    assert main(["check", "100", "--looks", "1"]) == 1


def test_check_misses_a_process_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    collecting(monkeypatch, HEALTHY)

    assert main(["check", "--seconds", "0.1", "100", "4242"]) == 2
    assert "cannot look into 4242" in capsys.readouterr().err


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(_: CaptureRequest) -> Iterator[Capture]:
        yield abba()
        raise KeyboardInterrupt

    monkeypatch.setattr(collect_module, "collect", interrupt)

    assert main(["dump", "100"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_lets_sources_clean_up(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    cleaned = []

    def killed(_: CaptureRequest) -> Iterator[Capture]:
        try:
            signal.raise_signal(number)
            yield abba()
        finally:
            cleaned.append(True)

    monkeypatch.setattr(collect_module, "collect", killed)
    before = signal.getsignal(number)

    assert main(["dump", "100"]) == 128 + number
    assert cleaned == [True]
    assert signal.getsignal(number) is before


def test_a_bug_is_not_mistaken_for_a_finding(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing(monkeypatch, RuntimeError("oops"))

    assert main(["check", "100"]) == 2
    assert "RuntimeError: oops" in capsys.readouterr().err


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[CaptureProvider, CaptureRequest]]:
    """What was to be shown on a terminal, which is pretended."""
    calls: list[tuple[CaptureProvider, CaptureRequest]] = []

    def fake(
        provider: CaptureProvider,
        request: CaptureRequest,
        _: argparse.Namespace,
        debuggers: DebuggerFactory,
        *,
        listed: bool = False,
    ) -> int:
        assert callable(debuggers.open)
        assert not (listed and os.environ.get("TEXTUAL_DRIVER"))
        calls.append((provider, request))
        return 0

    monkeypatch.setattr(screens, "_show", fake)
    monkeypatch.setattr(screens, "require_terminal", lambda _: None)
    return calls


@pytest.mark.parametrize("served", [True, False])
def test_no_words_show_all_processes(
    shown: list[tuple[CaptureProvider, CaptureRequest]],
    monkeypatch: pytest.MonkeyPatch,
    served: bool,
) -> None:
    def listed(
        provider: CaptureProvider,
        _machine: MachineProvider,
        show: Callable[[tuple[int, ...]], int],
        **_options: object,
    ) -> int:
        assert provider.live
        return show(()) or show((7,))

    monkeypatch.setattr(running, "run_list", listed)
    if served:
        monkeypatch.setenv("TEXTUAL_DRIVER", "x")  # a browser has the list as one screen
    assert main([]) == 0

    assert all(provider.live for provider, _ in shown)
    chosen = [] if served else [CaptureRequest((7,), follow=True)]
    assert [request for _, request in shown] == [CaptureRequest(), *chosen]


def test_pids_are_shown_with_the_options(
    shown: list[tuple[CaptureProvider, CaptureRequest]],
) -> None:
    own = os.getpid()
    assert main(["--children", str(own), "--native", "none"]) == 0

    assert shown[0][1] == CaptureRequest((own,), children=True, native=NativeMode.NONE, follow=True)


def test_a_pid_that_does_not_exist_is_told_before_the_screens_open(
    shown: list[tuple[CaptureProvider, CaptureRequest]], capsys: pytest.CaptureFixture[str]
) -> None:
    free = next(pid for pid in range(4194303, 1, -1) if not Path(f"/proc/{pid}").exists())

    assert main([str(free)]) == 2
    assert f"no process {free}" in capsys.readouterr().err
    assert shown == []
    assert main([str(free), str(os.getpid())]) == 0


async def test_open_shows_a_file(
    shown: list[tuple[CaptureProvider, CaptureRequest]], tmp_path: Path
) -> None:
    made = abba()
    assert main(["open", saved(tmp_path / "x.hang", made)]) == 0
    ((provider, request),) = shown

    assert isinstance(provider, FileProvider)
    assert provider.live is False
    (got,) = [taken async for taken in provider.take(request)]
    assert got.processes == made.processes


@pytest.mark.usefixtures("shown")
def test_open_tells_a_damaged_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.hang").write_bytes(b"\x1f\x8bgarbage")

    assert main(["open", str(tmp_path / "x.hang")]) == 2
    assert "damaged or cut off" in capsys.readouterr().err


def test_a_process_that_is_not_python_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Process(7, 1, ("bash",), "S", threads=(Thread(7, 7, "bash", "S", native_stack=()),))
    notice = Notice("cpython", "is no Python process", None, 7)
    collecting(
        monkeypatch, replace(HEALTHY, processes=(shell,), notices=(notice,), waits=(), holds=())
    )

    assert main(["dump", "7"]) == 0
    assert "is no Python process (PID 7)" in capsys.readouterr().out


def test_what_is_known_at_the_deadline_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Here, "late", True)
    first = replace(abba(), pending=(Part.STILLNESS,))
    collecting(monkeypatch, first, abba())
    assert main(["dump", "--within", "5s", "100"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "the reading was ended after 3.5 s; not read to the end: " in text
    assert "Deadlock" not in text  # whether anybody moves was still to be seen


def test_a_deadline_that_was_kept_leaves_nothing_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    collecting(monkeypatch, replace(abba(), pending=(Part.STILLNESS,)), abba())
    assert main(["dump", "--within", "5s", "100"]) == 0
    text = capsys.readouterr().out
    assert "ended after" not in text
    assert "Deadlock" in text


def test_a_deadline_before_anything_was_known_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Here, "late", True)
    collecting(monkeypatch, abba())
    assert main(["dump", "--within", "5s", "100"]) == 2
    assert "nothing was known after 3.5 s" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["0", "soon", "-1"])
def test_a_deadline_is_a_time(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", f"--within={word}", "100"]) == 2
    assert "is not a time" in capsys.readouterr().err
