"""What a node of Ray wrote about itself, read from its logs, of a process that is called so."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hangtui.backends.process import ray_node
from tests.waiting import until

STATE = "NodeManager:\nNode ID: ab\nInfeasible queue length: 2\nnum_waiting_for_resource: 3\n"
STATE += "num_waiting_for_plasma_memory: 7\nnum_waiting_for_remote_node_resources: 1\n"
DEMAND = "{'CPU': 1.0, 'GPU': 1.0}"
HEAD = "======== Autoscaler status: 2026-11-26 05:33:03.440455 ========\n"
ACTIVE = f"{HEAD}Active:\n 1 node_2da7\n 2 gpu-node\nPending:\n (no pending nodes)\n\nResources\n"
USE = "Total Usage:\n 2.0/2.0 CPU\n 0.0/1.0 GPU\n 0B/15.76GiB memory\n\n"
REPORT = (
    f"{ACTIVE}{USE}Pending Demands:\n {DEMAND}: 2+ pending tasks/actors\n"
    " {'x': 1.0}: 1+ pending\n"
    "2026-11-26 05:33:03,441\tINFO autoscaler.py:469 -- took 0.001 seconds\n"
)
NEVER = f"Error: No available node types can fulfill resource request {DEMAND}. Add suitable\n"


@contextmanager
def node(folder: Path, name: str = "raylet") -> Iterator[Path]:
    """The folder below ``/proc`` of a process of this name, whose session is in *folder*."""
    (folder / name).symlink_to("/bin/sh")
    command = [str(folder / name), "-c", "read x", "--head", f"--session_dir={folder}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        found = Path(f"/proc/{process.pid}")
        until(lambda: (found / "comm").read_text() == f"{name}\n")  # a little later than its start
        yield found


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "debug_state.txt").write_text(STATE)
    return tmp_path / "logs"


def test_what_no_node_can_take(logs: Path) -> None:
    old = f"{HEAD}Pending Demands:\n {{'TPU': 1.0}}: 1+ pending\n{NEVER.replace('GPU', 'TPU')}"
    (logs / "monitor.log").write_text("x" * (1 << 16) + "\n" + old + REPORT + NEVER)
    with node(logs.parent) as process:
        found = ray_node.read(process)
    assert found is not None
    assert (found.infeasible, found.waiting) == (2, 4)
    assert found.demands == (f"{DEMAND}: 2+ pending tasks/actors", "{'x': 1.0}: 1+ pending")
    assert found.refused == (f"{DEMAND}: 2+ pending tasks/actors",)
    assert (found.nodes, found.used_up) == (3, ("2.0/2.0 CPU",))
    assert found.age_s < 30


def test_what_is_refused_may_be_written_in_another_order(logs: Path) -> None:
    other = NEVER.replace(DEMAND, "{'GPU': 1.0, 'CPU': 1.0}")
    less = NEVER.replace(DEMAND, "{'GPU': 1.0}") + NEVER.replace(DEMAND, "{'x': 2.0}")
    with node(logs.parent) as process:
        for refusals, refused in ((other, 1), (less, 0)):
            (logs / "monitor.log").write_text(REPORT + refusals)
            found = ray_node.read(process)
            assert found is not None
            assert len(found.refused) == refused


def test_nothing_is_asked_for(logs: Path) -> None:
    (logs / "monitor.log").write_text(f"{NEVER}{HEAD}Pending Demands:\n (no resource demands)\n")
    with node(logs.parent) as process:
        found = ray_node.read(process)
    assert found is not None
    assert (found.demands, found.refused) == ((), ())


def test_only_the_head_node_has_an_autoscaler(logs: Path) -> None:
    with node(logs.parent) as process:
        found = ray_node.read(process)
    assert found is not None
    assert (found.infeasible, found.demands, found.refused) == (2, (), ())


def test_what_was_written_long_ago_is_not_told(logs: Path) -> None:
    (logs / "monitor.log").write_text(REPORT + NEVER)
    past = time.time() - 100
    os.utime(logs / "monitor.log", (past, past))
    with node(logs.parent) as process:
        found = ray_node.read(process)
        assert found is not None
        assert found.demands == ()
        os.utime(logs / "debug_state.txt", (past, past))
        assert ray_node.read(process) is None


def test_another_program_is_no_node(logs: Path) -> None:
    with node(logs.parent, "rayle") as process:
        assert ray_node.read(process) is None


@pytest.mark.parametrize("text", ["", "Infeasible queue length: -1\n", "\0" * 100])
def test_what_is_written_may_be_anything(logs: Path, text: str) -> None:
    (logs / "debug_state.txt").write_text(text)
    with node(logs.parent) as process:
        assert ray_node.read(process) is None


def test_a_demand_says_what_it_likes(logs: Path) -> None:
    lines = "".join(f" {{'\x1b[31m{n}{'y' * 500}': 1.0}}: 1+ pending\n" for n in range(9))
    (logs / "monitor.log").write_text(f"{HEAD}Pending Demands:\n{lines}")
    with node(logs.parent) as process:
        found = ray_node.read(process)
    assert found is not None
    assert len(found.demands) == 3
    assert all(len(one) <= 120 and "\x1b" not in one for one in found.demands)


def test_a_pipe_is_not_opened(logs: Path) -> None:
    os.mkfifo(logs / "monitor.log")
    with node(logs.parent) as process:
        found = ray_node.read(process)
        assert found is not None
        assert found.demands == ()
        (logs / "debug_state.txt").unlink()
        os.mkfifo(logs / "debug_state.txt")
        with pytest.raises(OSError, match="it is a pipe"):
            ray_node.read(process)


def test_what_workers_have_of_a_node(logs: Path) -> None:
    uses = """Resource usage {
    - (language=PYTHON actor_or_task_StatsActor.__init__ pid=574 worker_id=77fa): {}
    - (language=PYTHON actor_or_taskMapWorker(Map(E)).__init__ pid=565 worker_id=d9): {CPU: 1}
    - (language=PYTHON actor_or_tasktrain pid=566 worker_id=d8): {CPU_group_0_4f: 2, bundle: 0.001}
}
"""
    (logs / "debug_state.txt").write_text(STATE + uses)
    (logs / "monitor.log").write_text(
        REPORT.replace("2.0/2.0 CPU", "4.0/4.0 CPU (4.0 used of 4.0 reserved in placement groups)")
    )
    with node(logs.parent) as process:
        found = ray_node.read(process)
    assert found is not None
    assert [(one.pid, one.name) for one in found.uses] == [
        (565, "MapWorker(Map(E))"),
        (566, "train"),
    ]
    assert found.uses[0].what == "CPU: 1"
    assert found.used_up == ("4.0/4.0 CPU",)


def test_what_is_used_in_a_placement_group(logs: Path) -> None:
    group = "630ba7017d75215277ed7c06a64201000000"
    names = (f"bundle_group_0_{group}: 0.001", f"CPU_group_0_{group}: 2", f"CPU_group_{group}: 2",
             "GPU: 1")  # fmt: skip
    (logs / "debug_state.txt").write_text(
        f"{STATE}Resource usage {{\n    - (language=PYTHON actor_or_taskTrial.__init__ pid=7 "
        f"worker_id=1a): {{{', '.join(names)}}}\n}}\n"
    )
    with node(logs.parent) as process:
        found = ray_node.read(process)
    assert found is not None
    assert [(one.name, one.what) for one in found.uses] == [("Trial", "CPU: 2, GPU: 1")]
