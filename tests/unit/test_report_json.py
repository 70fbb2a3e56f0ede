"""The JSON contract: which keys there are, and that they agree with each other."""

import json
from dataclasses import replace
from typing import Any

from hangtui.diagnosis import diagnose
from hangtui.model import Capture, GpuUse, JobPlace, Notice, Surroundings, Syscall
from hangtui.report.json_report import to_dict, to_json
from tests.unit.factories import abba, capture, cuda, process, python_frame, thread, waits

TOP = {
    "schema", "taken_at", "host", "tool", "notices", "processes", "nodes", "edges", "cycles",
    "findings", "crash",
}  # fmt: skip
PROCESS = {
    "pid", "ns_pid", "ppid", "cmdline", "exe", "python", "state", "container", "stopped_for_ms",
    "threads",
}  # fmt: skip
THREAD = {
    "tid", "name", "state", "still", "gil", "python_stack", "native_stack", "waits_for", "holds",
}  # fmt: skip
FINDING = {
    "id", "severity", "certainty", "title", "sentence", "threads", "resources", "evidence",
    "unknown", "advice",
}  # fmt: skip


def report(made: Capture) -> dict[str, Any]:
    """Through text, as a script gets it."""
    result: dict[str, Any] = json.loads(to_json(diagnose(made)))
    return result


def test_the_keys_of_the_contract_are_there() -> None:
    got = report(cuda())
    (first,) = got["processes"]

    assert got.keys() >= TOP
    assert first.keys() >= PROCESS
    assert all(t.keys() >= THREAD for t in first["threads"])
    assert got["findings"][0].keys() >= FINDING
    assert got["schema"] == "hangtui.capture/1"
    assert got["tool"]["name"] == "hangtui"
    assert got["crash"] is None
    assert first["python"] == {
        "version": "3.11.7",
        "implementation": "CPython",
        "free_threaded": False,
        "threads_ever": None,
        "threads_ended": [],
        "threads_unstarted": [],
        "threads_not_begun": [],
    }


def test_threads_say_what_they_wait_for_and_hold() -> None:
    main, launcher, poller = report(cuda())["processes"][0]["threads"]

    assert (main["gil"], launcher["gil"]) == ("holds", "waits")
    assert main["waits_for"] == launcher["holds"][0] == "rwlock:100:0x20"
    assert (main["operation"], launcher["operation"]) == ("write", None)
    assert main["holds"] == [launcher["waits_for"]] == ["gil:100:0x10"]
    assert poller["holds"] == []
    assert [main["does"], poller["does"]] == ["DLOCK", "GIL"]


def test_stacks_are_innermost_first_and_unread_ones_are_told() -> None:
    main, _, poller = report(cuda())["processes"][0]["threads"]

    assert main["python_stack"][0] == {
        "function": "stage_buffers",
        "filename": "/app/main.py",
        "line": 44,
        "entry": True,
        "package": None,
        "doc": None,
        "signal": None,
    }
    assert main["native_stack"][2]["function"] == "cuMemcpyAsync"
    assert main["native_stack"][2]["module"] == "/opt/app/libfakecuda.so"
    assert main["native_stack"][2].keys() >= {"file", "line", "package", "address"}
    assert main["unread"] == []
    assert (poller["python_stack"], poller["unread"]) == ([], ["python_stack", "native_stack"])


def test_every_edge_and_cycle_refers_to_a_node() -> None:
    got = report(cuda())
    nodes = {node["id"]: node for node in got["nodes"]}

    assert len(nodes) == len(got["nodes"])
    for edge in got["edges"]:
        assert edge.keys() >= {
            "from", "to", "relation", "certainty", "source", "evidence", "where",
        }  # fmt: skip
        assert {edge["from"], edge["to"]} <= nodes.keys()
    assert got["cycles"] == [
        ["thread:100:100", "rwlock:100:0x20", "thread:100:101", "gil:100:0x10"]
    ]
    assert nodes["thread:100:101"]["label"] == "launcher (TID 101)"
    assert nodes["thread:100:101"]["tid"] == 101
    assert (nodes["gil:100:0x10"]["kind"], nodes["gil:100:0x10"]["address"]) == ("gil", 0x10)


def test_edges_carry_their_evidence() -> None:
    edges = {(e["from"], e["relation"]): e for e in report(abba())["edges"]}
    edge = edges["lock:100:0xa", "held-by"]

    assert edge["to"] == "thread:100:101"
    assert edge["certainty"] == "proven"
    assert edge["source"] == "cpython"
    assert edge["where"] == "/app/bank.py:30"
    assert (edge["stable"], edge["expires"]) == (True, False)


def test_findings_refer_to_threads_and_nodes() -> None:
    got = report(abba())
    (finding,) = got["findings"]

    assert (finding["id"], finding["severity"]) == ("deadlock", "error")
    assert finding["threads"] == [
        {"pid": 100, "tid": 101, "name": "worker-a"},
        {"pid": 100, "tid": 102, "name": "worker-b"},
    ]
    assert finding["resources"] == ["lock:100:0xb", "lock:100:0xa"]


def test_a_process_that_is_waited_for_is_a_node() -> None:
    main, child = thread("main"), process(300)
    got = report(capture(main, waits=[waits(main, child)], processes=[child]))

    assert got["processes"][0]["threads"][0]["waits_for"] == "process:300"
    assert got["nodes"][-1]["kind"] == "process"


def test_notices_and_missing_facts() -> None:
    bare = Capture("2030-01-01T00:00:00+00:00", "h", notices=(Notice("gdb", "no", "apt", 7),))
    got = report(bare)

    assert got["notices"] == [{"source": "gdb", "message": "no", "fix": "apt", "pid": 7}]
    assert (got["processes"], got["nodes"], got["findings"]) == ([], [], [])


def test_a_foreign_process_has_no_python() -> None:
    made = capture(thread("main", syscall=Syscall("read", "fd 0", fd=0)))
    (first,) = made.processes
    got = to_dict(diagnose(replace(made, processes=(replace(first, python=None),))))

    assert got["processes"][0]["python"] is None
    assert got["processes"][0]["threads"][0]["syscall"] == {
        "name": "read",
        "detail": "fd 0",
        "fd": 0,
        "file": None,
        "timed": None,
        "timeout_ms": None,
        "signals": [],
    }


def test_the_text_is_ascii_whatever_the_names_are() -> None:
    assert to_json(diagnose(capture(thread("fü\U0001f40d")))).isascii()


def test_the_use_of_gpus() -> None:
    made = cuda()
    around = Surroundings(gpus=(GpuUse(0, "NVIDIA H200", "/dev/nvidia3", None, 0.97),))
    asked = replace(made, processes=(replace(made.processes[0], around=around),))

    assert report(asked)["processes"][0]["around"]["gpus"] == [
        {
            "index": 0,
            "name": "NVIDIA H200",
            "path": "/dev/nvidia3",
            "memory_bytes": None,
            "busy": 0.97,
            "own_busy": None,
        }
    ]


def test_ranks_that_are_in_the_same_places_are_one_class() -> None:
    mains = [
        thread("MainThread", pid, pid, python=[python_frame("train", 7 if pid == 101 else 9)])
        for pid in range(100, 104)
    ]
    made = capture(*mains)
    placed = (
        replace(one, ppid=50, around=Surroundings(job=JobPlace(one.pid - 100, None, 4)))
        for one in made.processes
    )
    got = report(replace(made, processes=tuple(placed)))

    odd, others = got["rank_classes"]
    assert (odd["name"], odd["pid"], odd["where"]) == ("rank 1", 101, "main.py:7 (train)")
    assert others == {
        "name": "ranks 0, 2-3",
        "count": 3,
        "ranks": ["0", "2-3"],
        "size": 4,
        "pid": 100,
        "host": "gpu-17",
        "where": "main.py:9 (train)",
        "does": "?",
    }
    assert got["processes"][1]["job"] == {"rank": 1, "local_rank": None, "size": 4}
    assert report(cuda())["rank_classes"] == []
