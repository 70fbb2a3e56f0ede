"""A process of which the kernel shows almost nothing, since it never gets into its next program:
one of its files is closed on the way, and the file system of that never answers. Even its ``stat``
keeps its reader waiting. And one whose every answer takes a while, and none too long.
"""

import os
import time
from pathlib import Path

from hangtui.backends.supervision import flat
from hangtui.backends.supervision.supervisor import Reader
from hangtui.model import Capture
from hangtui.provider import CaptureRequest
from tests.hostile.misbehaving import INNOCENT, attacker, silent_files
from tests.waiting import until

_EXECS = """
import os, sys
os.open(sys.argv[1], os.O_RDONLY | os.O_CLOEXEC)
print("ready", flush=True)
os.execv("/bin/sleep", ["sleep", "600"])
"""
_SLOW_ANSWERS = """
import ctypes, os, resource, select, signal, threading
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
threading.stack_size(1 << 17)
ep, (r, w) = select.epoll(), os.pipe()
sets = [os.dup(ep.fileno()) for _ in range(400)]
for _ in range(min(hard, 20_000) - 500): ep.register(os.dup(r), 1)
libc = ctypes.CDLL(None)
def wait(fd): libc.epoll_wait(fd, ctypes.create_string_buffer(24), 1, -1)
for fd in sets: threading.Thread(target=wait, args=(fd,), daemon=True).start()
print("ready", flush=True)
signal.pause()
"""


def take(*pids: int, children: bool = False) -> tuple[Capture, float]:
    begun = time.monotonic()
    with Reader() as reader:
        (last,) = reader.take(CaptureRequest(pids, children))
    return flat.decode(last), time.monotonic() - begun


def test_who_never_gets_into_its_next_program_costs_itself_alone(tmp_path: Path) -> None:
    """The list of all, the two of them, and all that another one has started."""
    with silent_files(tmp_path, "flush") as (file, end), attacker(
        _EXECS, file, before_end=end
    ) as hostile, attacker(INNOCENT) as innocent:  # fmt: skip
        until(lambda: not Path(f"/proc/{hostile.pid}/cmdline").read_bytes())
        looks = [take(), take(hostile.pid, innocent.pid), take(os.getpid(), children=True)]
    for capture, took_s in looks:
        assert took_s < 20
        assert any(w.waiter.startswith(f"thread:{innocent.pid}:") for w in capture.waits)
        (notice,) = [one for one in capture.notices if one.pid == hostile.pid]
        assert "is not read: it could not be read within 2 s" in notice.message


def test_answers_that_each_take_a_little_are_bounded_in_sum() -> None:
    with attacker(_SLOW_ANSWERS) as hostile, attacker(INNOCENT) as innocent:
        capture, took_s = take(hostile.pid, innocent.pid, int(innocent.words[0]))
        said = [one.message for one in capture.notices if one.pid == hostile.pid]
    assert took_s < 10
    assert any(w.waiter == f"thread:{innocent.pid}:{innocent.pid}" for w in capture.waits)
    assert said == [
        "the kernel gives no answer about what it has open, so who holds that is not read"
    ]
