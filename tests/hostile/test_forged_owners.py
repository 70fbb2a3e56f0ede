"""A word that names its owner is written by whoever has it: nobody else is to be blamed by it."""

from pathlib import Path

from tests.hostile.misbehaving import attacker, look
from tests.waiting import until

_FORGES = """
import ctypes, mmap, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
memory = mmap.mmap(-1, 4096)
word = int(sys.argv[1]) | 1 << 31
memory[:4] = struct.pack("<I", word)
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
print("ready", flush=True)
libc.syscall(202, ctypes.c_void_p(address), 0, ctypes.c_uint(word), None, None, 0)
"""
_INNOCENT = "import time; print('ready', flush=True); time.sleep(600)"


def test_who_cannot_reach_a_lock_does_not_hold_it() -> None:
    """The word of a robust mutex in the attacker's own memory names another captured thread."""
    with attacker(_INNOCENT) as innocent, attacker(_FORGES, innocent.pid) as hostile:
        until(lambda: Path(f"/proc/{hostile.pid}/syscall").read_text().startswith("202 "))
        found = look(innocent.pid, hostile.pid)
    assert [w.waiter for w in found.capture.waits] == [f"thread:{hostile.pid}:{hostile.pid}"]
    assert all(not h.holder.startswith(f"thread:{innocent.pid}:") for h in found.capture.holds)
    of_innocent = {f.id for f in found.findings for t in f.threads if t.pid == innocent.pid}
    assert of_innocent <= {"idle", "quiet"}
