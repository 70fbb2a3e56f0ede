"""hangtui outside of the container: in one of its own, and on the host."""

import subprocess
import sys

import pytest

from hangtui.backends.capture.pyspy import python_stacks
from hangtui.backends.process.processes import read_process
from tests.container import images, terminal
from tests.container.conftest import Container, Done, podman, started
from tests.container.test_inside import CYCLE, assert_cycle
from tests.notices import told

USERS = "user namespaces"


def on_the_host(*words: str) -> Done:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "hangtui", *words], capture_output=True, text=True
    )
    return Done(done.returncode, done.stdout, done.stderr)


def test_the_screens_of_a_sidecar(untouched: Container) -> None:
    words = ("run", "-it", *untouched.beside("--cap-add", "SYS_PTRACE"), images.SIDECAR)
    with terminal.opened(*words) as screen:
        screen.until(CYCLE, "abba.py:20")
        screen.type("q")
        assert screen.end() == 0


def test_the_debugger_of_a_sidecar(untouched: Container) -> None:
    """Sources come from the application's files, values and registers from its memory."""
    words = ("run", "-it", *untouched.beside("--cap-add", "SYS_PTRACE"), images.SIDECAR)
    with terminal.opened(*words, size=(50, 160)) as screen:
        screen.until(CYCLE, "abba.py:20")
        screen.type("\r")
        screen.until("[2 Thread]")
        screen.type("v")
        screen.until("with target.lock:", "holds since here")
        screen.type("l")
        screen.until("__main__.Account")
        screen.type("x")
        screen.until("rip ", "code _PyEval_EvalFrameDefault")
        screen.type("q")
        assert screen.end() == 0


@pytest.mark.parametrize("native", ["auto", "gdb"])
def test_a_sidecar_reads_everything(untouched: Container, native: str) -> None:
    answer = untouched.sidecar("dump", "--json", "--native", native, "1").json()

    assert_cycle(answer)
    assert told(answer["notices"]) == []
    main = next(t for t in answer["processes"][0]["threads"] if t["tid"] == 1)
    modules = [str(frame["module"]) for frame in main["native_stack"]]
    functions = [frame["function"] for frame in main["native_stack"]]
    assert "/usr/bin/python3.9" in modules, "as the application sees it"
    assert "_PyEval_EvalFrameDefault" in functions
    assert {frame["filename"] for frame in main["python_stack"]} >= {"/srv/shop/abba.py"}


def test_a_sidecar_of_the_same_user_needs_no_capability(untouched: Container) -> None:
    assert untouched.sidecar("check", "1", options=()).code == 1


def test_an_image_without_a_shell() -> None:
    with started(images.NO_SHELL) as container:
        assert container.exec("sh", "-c", "true").code != 0
        done = container.sidecar("check", "1")

    assert done.code == 1, done.errors


def test_from_the_host(untouched: Container) -> None:
    pid = untouched.pid

    done = on_the_host("dump", "--json", str(pid))
    answer = done.json()

    assert_cycle(answer)
    assert told(answer["notices"]) == []
    (process,) = answer["processes"]
    assert (process["pid"], process["ns_pid"]) == (pid, 1)
    assert process["container"].startswith(f"podman:{untouched.inspect('.Id')[:12]}")
    assert process["exe"] == "/usr/bin/python3.9"
    assert all(thread["native_stack"] for thread in process["threads"])


def test_gdb_on_the_host(untouched: Container) -> None:
    answer = on_the_host("dump", "--json", "--native", "gdb", str(untouched.pid)).json()

    assert told(answer["notices"]) == []
    for thread in answer["processes"][0]["threads"]:
        functions = [frame["function"] for frame in thread["native_stack"]]
        assert "_PyEval_EvalFrameDefault" in functions


def test_py_spy_on_the_host(untouched: Container) -> None:
    result = python_stacks(untouched.pid)

    assert result.notice is None
    named = {thread.name: thread for thread in (*result.threads.values(), *result.unmapped)}
    assert named["teller-1"].frames[0].function == "transfer"


def test_the_report_names_the_container(untouched: Container) -> None:
    report = on_the_host("dump", str(untouched.pid)).output

    head = next(line for line in report.splitlines() if line.startswith("PROCESS "))
    assert head.startswith(f"PROCESS {untouched.pid}  abba.py")
    assert f"PID 1 inside podman:{untouched.inspect('.Id')[:12]}" in report


def test_a_user_namespace_from_the_host() -> None:
    with started(images.APP, "--uidmap", "0:100000:65536", feature=USERS) as container:
        answer = on_the_host("dump", "--json", str(container.pid)).json()

    assert_cycle(answer)
    assert told(answer["notices"]) == []
    assert answer["processes"][0]["ns_pid"] == 1


def test_a_user_namespace_from_a_sidecar() -> None:
    with started(images.APP, "--uidmap", "0:100000:65536", feature=USERS) as container:
        done = container.sidecar("check", "1")

    assert done.code == 1, done.errors


def test_the_user_is_named_as_the_container_names_it() -> None:
    with started(images.APP, "--user", "clerk") as container:
        assert read_process(container.pid).user == "clerk"


def test_a_sidecar_that_sees_no_processes() -> None:
    done = podman("run", "--rm", "--pull", "never", "--network", "none", images.SIDECAR, "doctor")

    assert done.code == 2
    assert "podman run --rm -it --pid container:NAME" in done.output
