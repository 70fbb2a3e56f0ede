"""Node ids: how they read as text, and that nobody else puts them together or takes them apart."""

import ast
import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui import capture_file
from hangtui.model import (
    Certainty,
    Evidence,
    HostPid,
    InputError,
    NodeId,
    NodeKind,
    Source,
    Task,
    TaskState,
    Wait,
    process_id,
    resource_id,
    shared_id,
    task_id,
    thread_id,
)
from tests.unit.factories import capture, thread

ROOT = Path(__file__).parents[2]
FOLDERS = ("backends", "hangtui", "tui")
ALONE = {"hangtui/model/node.py"}
"""Where ids are put together and taken apart."""
NAMES = {"node", "node_id", "waiter", "holder", "target", "resource", "actor", "source", "id"}
"""What ids are called in the source."""
CUTS = {"split", "rsplit", "partition", "rpartition", "startswith", "removeprefix"}
LINKS = {"backends/process/context.py", "backends/ptrace/freezer/interruptible.py"}
"""Where ``pipe:`` is the beginning of a link in /proc: ``pipe:[4711]``."""


def test_what_an_id_remembers_of_itself_is_not_passed_on() -> None:
    node, other = task_id(100, 0x5000), NodeId("task:100:0x5000")
    assert (node.pid, node.address) == (100, 0x5000)  # remembered from here on

    assert pickle.dumps(NodeId(node)) == pickle.dumps(other)
    assert pickle.loads(pickle.dumps(node)).address == 0x5000
    assert len(pickle.dumps(node)) == len(pickle.dumps(other))


def test_a_copy_of_a_task_has_an_id_of_its_own() -> None:
    one = Task(100, 0x5000, "Task-1", "main", TaskState.WAITING, 0x1000)
    assert one.id == task_id(100, 0x5000)

    assert replace(one, address=0x6000).id == task_id(100, 0x6000)
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize(
    ("node", "text", "kind", "pid", "name"),
    [
        (thread_id(100, 101), "thread:100:101", NodeKind.THREAD, 100, "101"),
        (process_id(100), "process:100", NodeKind.PROCESS, 100, ""),
        (task_id(100, 0x5000), "task:100:0x5000", NodeKind.TASK, 100, "0x5000"),
        (resource_id(NodeKind.GIL, 7, 0xABC), "gil:7:0xabc", NodeKind.GIL, 7, "0xabc"),
        (shared_id(NodeKind.PIPE, "0x7/read"), "pipe:0:0x7/read", NodeKind.PIPE, 0, "0x7/read"),
        (
            shared_id(NodeKind.LOCK, "0:25:1024:0x20"),
            "lock:0:0:25:1024:0x20",
            NodeKind.LOCK,
            0,
            "0:25:1024:0x20",
        ),
    ],
)
def test_an_id_says_what_it_names(
    node: NodeId, text: str, kind: NodeKind, pid: int, name: str
) -> None:
    assert node == text
    assert node.valid
    assert (node.kind, node.pid, node.name, node.host) == (kind, pid, name, "")
    assert node.shared is (pid == 0)


def test_a_number_is_a_threads_or_an_address() -> None:
    assert (thread_id(1, 2).tid, thread_id(1, 2).address) == (2, None)
    lock = resource_id(NodeKind.LOCK, 1, 0x10)
    assert (lock.tid, lock.address) == (None, 0x10)
    assert shared_id(NodeKind.PIPE, "0x7/read").address is None


def test_a_node_of_another_host_is_another_node() -> None:
    node = NodeId.of(NodeKind.THREAD, 100, "101", host="gpu-17.example")
    assert node == "thread@gpu-17.example:100:101"
    assert node != thread_id(100, 101)
    assert (node.kind, node.host) == (NodeKind.THREAD, "gpu-17.example")
    assert (node.pid, node.tid) == (
        HostPid.of(100, "gpu-17.example"),
        HostPid.of(101, "gpu-17.example"),
    )
    assert thread_id(HostPid.of(100, "gpu-17.example"), 101) == node
    assert node.valid


@pytest.mark.parametrize(
    "text",
    [
        "",
        "thread",
        "thread:",
        "thread:100",
        "thread:x:1",
        "lock:1:",
        "a b:1:2",
        "lock:1:a b",
        "@h:1:2",
    ],
)
def test_not_every_text_is_an_id(text: str) -> None:
    assert not NodeId(text).valid


def test_ids_are_texts_in_a_file_and_ids_again() -> None:
    main, other = thread("main"), thread("other", 101)
    wait = Wait(main.id, other.id, Evidence(Source.CPYTHON, Certainty.PROVEN, "join"))
    data = capture_file.encode(capture(main, other, waits=[wait]))
    assert b'"waiter":"thread:100:100","target":"thread:100:101"' in data
    (again,) = capture_file.decode(data).waits
    assert again == wait
    assert type(again.waiter) is NodeId


def test_an_id_that_is_no_text_is_refused() -> None:
    wait = Wait(thread_id(1, 1), thread_id(1, 2), Evidence(Source.CPYTHON, Certainty.PROVEN, "x"))
    data = capture_file.encode(capture(waits=[wait]))
    with pytest.raises(InputError, match="node id"):
        capture_file.decode(data.replace(b'"thread:1:1"', b"17"))


def sources() -> Iterator[tuple[str, ast.Module]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if name not in ALONE and not path.parent.is_symlink():
                yield name, ast.parse(path.read_text("utf-8"))


def starts_like_an_id(text: object) -> bool:
    """``thread:``, with a number or nothing more; not ``thread: use it``."""
    head, colon, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
    return bool(colon) and head in list(NodeKind) and (not rest or rest[0].isdigit())


def by_hand(tree: ast.Module) -> Iterator[ast.expr]:
    """Where an id seems to be put together or taken apart."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and starts_like_an_id(one.value):
            yield one
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute):
            whose = one.func.value
            name = whose.attr if isinstance(whose, ast.Attribute) else getattr(whose, "id", "")
            if one.func.attr in CUTS and name in NAMES and ":" in ast.unparse(one.args[0]):
                yield one


def test_nobody_else_builds_or_cuts_ids() -> None:
    found = {
        f"{name}:{place.lineno}"
        for name, tree in sources()
        for place in by_hand(tree)
        if name not in LINKS
    }
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        'f"thread:{pid}:{tid}"',
        'own = ("task:", pid)',
        'node.split(":")[1]',
        'wait.target.startswith("thread:")',
        'hold.holder.partition(":")',
    ],
)
def test_the_search_finds_what_is_done_by_hand(line: str) -> None:
    assert list(by_hand(ast.parse(line)))
