"""``docker exec -it CONTAINER hangtui``."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.container import images, terminal
from tests.container.conftest import Container, podman, started
from tests.notices import told

TELLERS = ("teller-1", "teller-2")
CONTROL_Q = "\x11"
"""Ends the screens wherever one is; Escape and a key might arrive as one key."""
CYCLE = "teller-1 and teller-2 wait for each other"


def assert_cycle(answer: dict[str, Any]) -> None:
    """The ring of two threads and two locks, and the lines where they wait."""
    labels = {node["id"]: node["label"] for node in answer["nodes"]}
    (cycle,) = answer["cycles"]
    names = " ".join(labels[node] for node in cycle)
    assert len(cycle) == 4
    assert all(word in names for word in (*TELLERS, "checking.lock", "savings.lock"))
    assert [finding["severity"] for finding in answer["findings"]][:1] == ["error"]
    waiting = [edge for edge in answer["edges"] if edge["relation"] == "waits-for"]
    assert sum(edge["where"].endswith("abba.py:20") for edge in waiting if edge["where"]) == 2


def test_the_screens_find_the_cycle(hung: Container) -> None:
    with terminal.opened("exec", "-it", hung.name, "hangtui") as screen:
        shown = screen.until(CYCLE, "abba.py:20")
        screen.type("q")
        code = screen.end()

    assert "proven" in shown
    assert code == 0
    assert hung.inspect(".State.Status") == "running"


def test_the_exit_code_of_a_probe(hung: Container) -> None:
    done = hung.exec("hangtui", "check", "1")

    assert done.code == 1, done.errors
    assert CYCLE in done.output


def test_all_facts_are_there(hung: Container) -> None:
    answer = hung.exec("hangtui", "dump", "--json", "1").json()

    assert_cycle(answer)
    assert told(answer["notices"]) == []
    (process,) = answer["processes"]
    assert process["python"]["version"].startswith("3.9.")
    assert all(thread["native_stack"] for thread in process["threads"])


def test_its_own_gdb_and_py_spy(hung: Container) -> None:
    doctor = hung.exec("hangtui", "doctor", "--json", "1").json()
    checks = {check["ability"]: check for check in doctor["checks"]}
    dump = hung.exec("hangtui", "dump", "--json", "--native", "gdb", "1").json()

    assert checks["gdb"]["works"], checks["gdb"]
    assert checks["gdb"]["reason"].startswith("/opt/hangtui/bin/gdb ")
    assert checks["py-spy"]["reason"].startswith("/opt/hangtui/bin/py-spy ")
    assert told(dump["notices"]) == []
    assert_cycle(dump)
    functions = [f["function"] for f in dump["processes"][0]["threads"][0]["native_stack"]]
    assert "_PyEval_EvalFrameDefault" in functions


POOR = ("env", "-u", "HOME", "-u", "PATH", "TERM=xterm", "LANG=C", "/usr/local/bin/hangtui")


@pytest.mark.parametrize(
    ("options", "prepare"),
    [
        (("--user", "1000:1000", "--read-only", "--read-only-tmpfs=false"), ""),
        ((), "rmdir /tmp /var/tmp; "),
    ],
    ids=["read-only-without-root", "without-tmp"],
)
def test_poor_conditions(options: tuple[str, ...], prepare: str) -> None:
    """No size of the terminal, no locale, no HOME, nothing to write to, not root."""
    command = ("sh", "-c", f"{prepare}exec python3 /srv/shop/abba.py")
    with started(images.DEBUG, *options, command=command) as container:
        words = ("exec", "-it", container.name, *POOR)
        with terminal.opened(*words, size=None) as screen:
            screen.until(CYCLE)
            screen.type("q")
            assert screen.end() == 0
        done = container.exec(*POOR, "check", "1")
        by_gdb = container.exec(*POOR, "dump", "--json", "--native", "gdb", "1")
        doctor = container.exec(*POOR, "doctor", "1")

    assert (done.code, done.errors) == (1, "")
    assert_cycle(by_gdb.json())
    assert told(by_gdb.json()["notices"]) == [], "gdb's files have found a place"
    assert (doctor.code, doctor.errors) == (0, "")


# -- without the right to look ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def refused(built: None) -> Iterator[Container]:  # noqa: ARG001
    """The application runs as another user than root, who has no CAP_SYS_PTRACE here."""
    with started(images.DEBUG, "--user", "1000:1000") as container:
        yield container


AS_ROOT = ("--user", "0:0")


def test_what_is_possible_without_the_right(refused: Container) -> None:
    done = refused.exec("hangtui", "dump", "--json", "1", options=AS_ROOT)

    answer = json.loads(done.output)
    (process,) = answer["processes"]
    assert done.code == 2, "a capture that holds next to nothing is no success"
    assert [thread["state"] for thread in process["threads"]] == ["S"] * 3
    assert process["cmdline"] == ["python3", "/srv/shop/abba.py"]
    assert answer["cycles"] == []
    assert any("without CAP_SYS_PTRACE" in notice["message"] for notice in answer["notices"])


def test_the_screens_say_what_is_missing(refused: Container) -> None:
    words = ("exec", "-it", "-u", "0", refused.name, "hangtui")
    with terminal.opened(*words, size=(40, 160)) as screen:
        screen.until("abba.py", "1 notice")
        screen.type("!")
        screen.until("without CAP_SYS_PTRACE", "podman exec -it -u 1000:1000")
        screen.type(CONTROL_Q)
        assert screen.end() == 0


def test_the_fix_that_is_given_works(refused: Container) -> None:
    """Typed as it stands, but for the terminal."""
    answer = refused.exec("hangtui", "doctor", "--json", "1", options=AS_ROOT)
    checks = {check["ability"]: check for check in answer.json()["checks"]}
    fix = checks["memory"]["fix"]

    assert answer.code == 2
    assert checks["list"]["works"]
    assert "it runs as user 1000, and hangtui as root without" in checks["memory"]["reason"]
    assert "podman run --cap-add SYS_PTRACE" in fix
    command, _, _ = fix.partition("   (")
    program, *words = shlex.split(command)
    assert program == "podman"
    assert words[:4] == ["exec", "-it", "-u", "1000:1000"]
    del words[1]
    words.insert(words.index("hangtui") + 1, "check")
    assert podman(*words).code == 1


NOT_DUMPABLE = """
import ctypes, runpy
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
runpy.run_path("/srv/shop/abba.py", run_name="__main__")
"""


def test_the_fix_for_a_process_that_is_not_dumpable(built: None) -> None:  # noqa: ARG001
    command = ("python3", "-c", NOT_DUMPABLE)
    with started(images.DEBUG, "--user", "1000:1000", command=command) as container:
        answer = container.exec("hangtui", "doctor", "--json", "1")
        fix = next(c["fix"] for c in answer.json()["checks"] if c["ability"] == "memory")
        _, *words = shlex.split(fix.partition("   (")[0])
        del words[1]
        words.insert(words.index("hangtui") + 1, "check")
        rescued = podman(*words)

    assert answer.code == 2
    assert words[:4] == ["exec", "--privileged", "-u", "0"]
    assert rescued.code == 1, rescued.errors


def test_a_filter_of_system_calls(tmp_path: Path) -> None:
    """A seccomp profile that forbids ptrace: memory is read all the same."""
    profile = tmp_path / "profile.json"
    forbidden = {"names": ["ptrace", "process_vm_readv"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}
    profile.write_text(json.dumps({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [forbidden]}))
    options = ("--security-opt", f"seccomp={profile}", "--security-opt", "no-new-privileges")
    with started(images.DEBUG, *options, feature="seccomp filters") as container:
        answer = container.exec("hangtui", "doctor", "--json", "1").json()
        found = container.exec("hangtui", "check", "1")
        by_gdb = container.exec("hangtui", "dump", "--json", "--native", "gdb", "1").json()
        number = container.inspect(".Id")[:12]
        rescued = container.sidecar("doctor", "--json", "1").json()

    checks = {check["ability"]: check for check in answer["checks"]}
    assert "no_new_privs" in answer["rights"]
    assert checks["memory"]["works"]
    assert found.code == 1
    assert "seccomp" in checks["stop"]["reason"]
    assert f"podman run --rm -it --pid container:{number} --cap" in checks["stop"]["fix"]
    assert next(c for c in rescued["checks"] if c["ability"] == "stop")["works"]
    assert not checks["gdb"]["works"]
    assert checks["stop"]["fix"] in [notice["fix"] for notice in by_gdb["notices"]]
    assert_cycle(by_gdb)


def test_the_capability_alone_is_enough(built: None) -> None:  # noqa: ARG001
    options = ("--user", "1000:1000", "--cap-add", "SYS_PTRACE")
    with started(images.DEBUG, *options) as container:
        assert container.exec("hangtui", "check", "1", options=AS_ROOT).code == 1
