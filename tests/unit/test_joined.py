"""Captures of several processes and machines as one."""

import copy
import json
from dataclasses import fields, is_dataclass, replace
from io import BytesIO
from typing import Any

import pytest

from hangtui import findings, hosts, model
from hangtui.analysis.waitgraph import build
from hangtui.capture_file import packed, read
from hangtui.diagnosis import diagnose
from hangtui.hosts import moved
from hangtui.joined import joined
from hangtui.model import (
    Capture,
    Growth,
    InputError,
    NodeId,
    NodeKind,
    Resource,
    Watched,
    host_of,
    own,
    process_id,
    shared_id,
)
from hangtui.model.pid import NUMBER
from hangtui.report.json_report import to_dict
from hangtui.report.text_report import to_text
from tests.unit.factories import capture, holds, lock, native_frame, python_frame, thread, waits

_LOCKS = [
    Resource(shared_id(NodeKind.FILE_LOCK, name), NodeKind.FILE_LOCK, f"the lock {name}", 0, 0)
    for name in ("8:1:17", "8:1:18")
]


def _of(pid: int, host: str, takes: int) -> Capture:
    """A process that has one lock of a file and waits for the other."""
    main = thread("MainThread", pid, pid, python=[python_frame("write", 5)])
    made = capture(
        main,
        resources=_LOCKS,
        waits=[waits(main, _LOCKS[1 - takes])],
        holds=[holds(_LOCKS[takes], main)],
    )
    return replace(made, host=host, growth=(Growth(pid, 3, 1.0, 9),), pending=("native stacks",))


@pytest.mark.parametrize(("other", "rings"), [("here", 1), ("there", 0), ("a host: 1", 0)])
def test_what_is_shared_is_shared_on_one_machine_only(other: str, rings: int) -> None:
    both = joined([_of(100, "here", 0), _of(200, other, 1)])

    assert len(build(both).cycles) == rings
    assert ("deadlock" in [one.id for one in findings.run(both)]) == bool(rings)
    assert all(one.target.valid and one.waiter.valid for one in both.waits)
    assert both.host == ", ".join(dict.fromkeys(["here", other]))


def test_nothing_that_is_known_of_one_is_lost() -> None:
    both = joined([_of(100, "here", 0), _of(100, "there", 1)])

    assert [str(one.pid) for one in both.growth] == ["100@here", "100@there"]
    assert [str(one.pid) for one in both.processes] == ["100@here", "100@there"]
    assert both.pending == ("native stacks",)
    assert [one.id.host for one in both.resources] == ["here", "here", "there", "there"]
    assert both.hosts == ("here", "there")


def test_equal_pids_of_two_machines_are_two_processes() -> None:
    both = joined([_of(100, "here", 0), _of(100, "there", 1)])

    assert len({one.pid for one in both.processes}) == 2
    threads = both.threads()
    assert [one.id for one in threads] == ["thread@here:100:100", "thread@there:100:100"]
    assert [one.id.tid for one in threads] == [one.tid for one in threads]
    assert [both.thread(one.waiter) for one in both.waits] == list(threads)
    assert [one.id.pid for one in threads] == [one.pid for one in both.processes]


def test_a_thread_is_named_with_its_machine_also_if_its_name_is_the_only_one_of_its_kind() -> None:
    main, cart = thread("loader", 7, 7), lock("cart", 0x1)
    stuck = capture(main, resources=[cart], waits=[waits(main, cart)], holds=[holds(cart, main)])
    other = capture(thread("MainThread", 8, 8))
    both = joined([replace(stuck, host="node-1"), replace(other, host="node-2")])

    (alone, *_), (first, *_) = findings.run(stuck), findings.run(both)

    assert "loader waits for cart" in alone.title
    assert "loader of process 7@node-1 waits for cart" in first.title


def test_threads_that_are_told_as_one_are_numbered_as_on_their_machine() -> None:
    native = [native_frame("poll", "/lib/libzmq.so"), native_frame("run", "/lib/libzmq.so")]
    pool = [thread("io", 10 + n, 7, native=native) for n in range(4)]
    pool = [replace(one, is_python=False, native_complete=True) for one in pool]
    made = capture(thread("MainThread", 7, 7), *pool)
    both = joined([replace(made, host="node-1"), replace(made, host="node-2")])

    text = to_text(diagnose(both))

    assert "4 threads of libzmq  TID 10-13 on node-1" in text
    assert "4 threads of libzmq  TID 10-13 on node-2" in text


def test_captures_of_one_machine_stay_as_they_are() -> None:
    both = joined([_of(100, "here", 0), _of(200, "here", 1)])

    assert [type(one.pid) for one in both.processes] == [int, int]
    assert both.hosts == ()


def test_numbers_are_read_again_as_they_were_written() -> None:
    both = joined([_of(100, "here", 0), _of(100, "there", 1), _of(100, "over there", 0)])

    again = read(BytesIO(packed(both)))

    assert packed(again) == packed(both)
    assert [str(one.pid) for one in again.processes] == [
        "100@here",
        "100@there",
        "100@over-there",
    ]
    assert [one.id.pid for one in again.threads()] == [one.pid for one in again.processes]


def test_a_file_keeps_whom_watched_connections_lead_to() -> None:
    watched = Watched(process_id(100), "TCP connection to 10.0.0.1:1", peers=(200,))
    both = joined([replace(_of(100, "here", 0), watched=(watched,)), _of(200, "there", 1)])

    again = read(BytesIO(packed(both)))

    (peer,) = again.watched[0].peers
    assert (host_of(peer), own(peer)) == ("here", 200)


def test_a_file_cannot_name_a_host_as_no_host_is_named() -> None:
    both = replace(joined([_of(100, "here", 0), _of(100, "there", 1)]), hosts=("he\x1bre", "there"))

    with pytest.raises(InputError, match="out of range"):
        read(BytesIO(packed(both)))


@pytest.mark.parametrize("host", ["here", "a host: 1", "x" * 100, "\u00e9\x1b[31m"])
def test_a_number_of_a_host_is_shown_with_it(host: str) -> None:
    (one,) = moved(replace(_of(100, host, 0))).processes

    assert f"{one.pid}" == str(one.pid) == f"100@{host_of(one.pid)}"
    assert own(one.pid) == 100
    assert copy.deepcopy(one.pid) == one.pid
    assert one.id.valid
    assert one.id == process_id(one.pid)


def test_reports_give_the_numbers_of_each_machine() -> None:
    found = to_dict(diagnose(joined([_of(100, "here", 0), _of(100, "there", 1)])))

    assert [(one["host"], one["pid"]) for one in found["processes"]] == [
        ("here", 100),
        ("there", 100),
    ]
    assert [one["threads"][0]["id"] for one in found["processes"]] == [
        "thread@here:100:100",
        "thread@there:100:100",
    ]
    assert json.loads(json.dumps(found)) == found


def test_threads_of_findings_are_told_from_those_of_other_machines() -> None:
    one, held = thread("MainThread", 100, 100), lock("held", 1)
    alone = capture(one, resources=[held], waits=[waits(one, held)], holds=[holds(held, one)])
    both = joined([replace(alone, host=host) for host in ("here", "there")])
    told = [one for finding in to_dict(diagnose(both))["findings"] for one in finding["threads"]]

    assert {(one["host"], one["pid"], one["tid"]) for one in told} == {
        ("here", 100, 100),
        ("there", 100, 100),
    }
    assert "host" not in to_dict(diagnose(alone))["findings"][0]["threads"][0]


@pytest.mark.parametrize("count", [3, 40])
def test_a_process_is_found_by_its_number_among_few_and_many(count: int) -> None:
    mains = [thread("MainThread", 100 + number, 100 + number) for number in range(count)]
    made = capture(*mains)
    twice = replace(made, processes=(*made.processes, replace(made.processes[0], ppid=77)))

    assert [made.process(one.pid) for one in mains] == list(made.processes)
    assert twice.process(100) is made.processes[0]
    assert twice.process(99) is None
    assert made.process(100) is made.processes[0]


def test_every_field_that_holds_a_number_or_an_id_is_moved() -> None:
    classes: list[Any] = [one for one in vars(model).values() if is_dataclass(one)]
    held = {
        (one.__name__, field.name)
        for one in classes
        for field in fields(one)
        if NUMBER in repr(field.type) or NodeId.__name__ in repr(field.type)
    }
    names = {(one.__name__, name) for one in classes for name, _ in hosts._names(one)}

    assert len(held) > 20
    assert held <= names
    assert ("PythonFrame", "line") not in names
