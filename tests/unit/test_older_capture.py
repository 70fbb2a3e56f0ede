"""Captures of versions that told by words alone what has fields by now."""

import gzip
import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from hangtui import capture_file
from hangtui.model import NodeKind, NoHolder, Resource, Syscall, resource_id
from hangtui.older_capture import called, is_older, named, syscall
from tests.unit.factories import capture, lock, thread, waits

SNAPSHOTS = Path(__file__).parents[2] / "snapshots"


def resource(label: str, kind: NodeKind = NodeKind.LOCK, module: str | None = None) -> Resource:
    return named(Resource(resource_id(kind, 1, 2), kind, label, 1, 2, module))


@pytest.mark.parametrize(
    ("label", "kind", "module", "expected"),
    [
        ("Bank.left (threading.Lock)", "lock", None, ("Bank.left", None, "threading.Lock")),
        ("threading.RLock at 0x7f00", "rlock", None, (None, None, "threading.RLock")),
        ("import lock of module a", "import-lock", None, ("import lock of module a", None, None)),
        ("mutex in libcuda.so", "mutex", "/x/libcuda.so", ("mutex", None, None)),
        ("mutex table in libcuda.so", "mutex", "/x/libcuda.so", ("mutex table", None, None)),
        ("mutex at 0x7f00", "mutex", None, (None, None, None)),
        ("pipe within process 7 (inode 8)", "pipe", None,
         ("pipe within process 7", "inode 8", None)),
        ("process 7 (nginx)", "process", None, ("process 7", "nginx", None)),
        ("GIL", "gil", None, ("GIL", None, None)),
    ],
)  # fmt: skip
def test_a_label_tells_name_detail_and_type(
    label: str, kind: str, module: str | None, expected: tuple[str | None, ...]
) -> None:
    found = resource(label, NodeKind(kind), module)
    assert (found.name, found.detail, found.type_name) == expected


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("it is locked, and nothing tells by whom", NoHolder.UNTOLD),
        ("none of them has it: whoever took it has ended", NoHolder.TAKER_ENDED),
        ("a queue has no owner", None),
    ],
)
def test_a_note_tells_why_there_is_no_holder(note: str, expected: NoHolder | None) -> None:
    plain = Resource(resource_id(NodeKind.LOCK, 1, 2), NodeKind.LOCK, "x", 1, 2, note=note)
    assert named(plain).no_holder is expected


def test_evidence_tells_the_call() -> None:
    one, two = thread("one", 101), thread("two", 102)
    wait = replace(waits(one, two, text="Queue.get: it waits for an item"), call=None)
    assert called(wait).method == "get"
    assert called(waits(one, two, text="its futex is the word of the threading.Lock")).call is None


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (Syscall("read", "fd 0"), (0, None, None)),
        (Syscall("read", "fd 3 pipe:[77]"), (3, "pipe:[77]", None)),
        (Syscall("epoll_wait", "fd 3 pipe:[77], timeout 9 ms"), (3, "pipe:[77]", True)),
        (Syscall("poll", "1 descriptor, no timeout"), (None, None, False)),
        (Syscall("select", "with a timeout"), (None, None, True)),
        (Syscall("futex", "wait 0x7f00"), (None, None, False)),
        (Syscall("openat", "/etc/timeout"), (None, None, None)),
    ],
)
def test_the_detail_of_a_call_tells_its_descriptor_and_timeout(
    call: Syscall, expected: tuple[int | None, str | None, bool | None]
) -> None:
    found = syscall(call)
    assert (found.fd, found.file, found.timed) == expected


def test_a_recorded_file_has_the_fields_once_it_is_open() -> None:
    data = gzip.decompress((SNAPSHOTS / "abba.hang").read_bytes())
    assert b"no_holder" not in data, "recorded by an older version"
    locks = [r for r in capture_file.load(SNAPSHOTS / "abba.hang").resources if r.type_name]
    assert {lock.type_name for lock in locks} == {"threading.Lock"}
    assert all(lock.name and f"{lock.name} (" in lock.label for lock in locks)


def test_a_file_of_this_version_is_taken_at_its_fields() -> None:
    odd = Resource(resource_id(NodeKind.LOCK, 1, 2), NodeKind.LOCK, "a (b.C)", 1, 2, name="odd")
    data = capture_file.encode(capture(resources=[odd]))
    assert json.loads(data)["resources"][0]["type_name"] is None
    assert capture_file.read(BytesIO(data)).resources == (odd,)


@pytest.mark.parametrize(
    ("data", "older"),
    [
        (b'{"resources":[{"id":1}]}', True),
        (b'{"resources":[{"id":1,"no_holder":null}]}', False),
        (b'{"resources":[],"calls":[{"name":"futex"}]}', True),
        (b'{"resources":[],"calls":[{"name":"futex","timed":null}]}', False),
    ],
)
def test_what_has_no_resource_is_not_older_for_that(data: bytes, older: bool) -> None:
    resources = [lock("a", 1)] if b"id" in data else []
    assert is_older(capture(resources=resources), data) is older
