"""The example of each finding: which capture it is told from, and which program that is of.

The pages in docs/findings are made of it, script/record-findings records what is here.
"""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "snapshots" / "findings"
HANGS = ROOT / "snapshots" / "hangs"
_FLIGHT = "tests/unit/backends/flight"


@dataclass(frozen=True, slots=True)
class Started:
    """How a program in tests/targets is started to be told of."""

    program: str
    arguments: tuple[str, ...] = ()
    version: str = "3.12"
    files: tuple[str, ...] = ()
    """Instead of a program: what one has left behind."""
    needs: str = ""
    """What an interpreter does not have that is not made for it: ``psycopg and PostgreSQL``."""


PROGRAMS = {
    "held-from-outside": Started("hangs", ("stopped",)),
    "finalizer-blocked": Started("hangs", ("finalizer_takes_lock",)),
    "executor-starvation": Started("hangs", ("starved_pool",)),
    "ring-with-timeout": Started("timed_abba"),
    "gil-needed-to-release": Started("gil_needed"),
    "gil-held-while-blocked": Started("gil_blocked"),
    "event-loop-blocked": Started("asyncio_blocked"),
    "thread-never-began": Started("mechanisms", ("thread_that_fails_before_it_begins",)),
    "result-thread-ended": Started("mechanisms", ("result_that_cannot_be_unpickled",)),
    "workers-replaced": Started("mechanisms", ("initializer_that_fails",)),
    "lost-worker": Started("hangs", ("killed_worker",)),
    "unanswered-call": Started("pending_calls", ("thread-event", "hung")),
    "database-locked": Started("mechanisms", ("writer_waits_for_another_writer",)),
    "waiting-for-input": Started("hangs", ("breakpoint_left_in",)),
    "output-unread": Started("mechanisms", ("child_that_fills_its_pipe",)),
    "output-blocked": Started("hangs", ("full_pipe",)),
    "collective-order": Started("", files=tuple(f"{_FLIGHT}/absent_{n}" for n in range(3))),
    "message-unmatched": Started("", files=tuple(f"{_FLIGHT}/receive_{n}" for n in range(2))),
    "waiting-for-gpu": Started("gpu_like"),
    "gpu-callback": Started("gpu_callback"),
    "actors-ended": Started("ray_data_like", ("ended",)),
    "never-scheduled": Started("ray_like", ("infeasible",)),
    "waiting-for-cluster": Started("ray_like", ("busy",)),
    "world-not-stopped": Started("world_waits", ("outside",), "3.13t", needs="free threading"),
    "database-waits": Started("two_transactions", needs="psycopg, and PostgreSQL by PGHOST"),
    "clock-stopped": Started("mechanisms", ("sleep_by_a_stopped_clock",)),
    "cancel-ignored": Started("mechanisms", ("cancelled_task_that_goes_on",)),
    "tasks-held-up": Started("mechanisms", ("tasks_behind_an_event_beside_a_clock",)),
    "tasks-not-done": Started("mechanisms", ("item_that_is_not_done",)),
    "calls-never-begin": Started("ray_like", ("taken",)),
    "waker-busy": Started("waker_busy"),
    "left-behind": Started("left_behind", ("lock_of_one_that_failed",)),
    "descriptors-used-up": Started("descriptors_used_up"),
    "busy": Started("hangs", ("computes",)),
    "waiting-for-process": Started("between", ("vfork_clone",)),
    "zombie-children": Started("hangs", ("zombies",)),
    "lock-contention": Started("hangs", ("contends",)),
    "waiting-for-others": Started("hangs", ("imap_of_nothing",)),
    "idle": Started("hangs", ("idles",)),
    "waits-beside-others": Started("hangs", ("kept_by_reader_of_its_own",)),
    "alive": Started("healthy_http"),
}
"""By rule."""
BY_HAND = {
    "request-waits": (
        "A server of aiohttp whose request awaits an event that no code sets, while its loop ticks "
        "and two threads go on."
    ),
    "lost-answer": (
        "A vLLM with two tensor-parallel workers: both have computed a step and dropped what came "
        "of it."
    ),
    "collective-mismatch": (
        "Four ranks of torch (gloo): one broadcasts first and reduces afterwards, the others do it "
        "the other way round."
    ),
    "rank-gone": (
        "Four ranks of torch (gloo): one is killed, as for want of memory; the others begin anew, "
        "and wait for it."
    ),
    "store-keys": (
        "Four ranks of torch (gloo): one waits for a key of the store that no rank writes, the "
        "others for the key that it writes afterwards."
    ),
    "rpc-threads-taken": (
        "Two workers of torch.distributed.rpc call each other three deep, and each has one thread."
    ),
    "group-incomplete": (
        "Two processes make the store of a group with torch; the third, which is to open it, "
        "waits for their answers first."
    ),
    "crash": "C code reads a member of a structure through a pointer that is NULL.",
    "deadlock-by-elimination": (
        "A thread of fsspec runs the garbage collector, which frees an object of h5py, while the "
        "main thread reads a file through h5py and waits for that thread."
    ),
    "memory-limit": "A program loads 185 MB of rows in a cgroup that may use 200 MB.",
    "rank-elsewhere": (
        "Two ranks of torch (gloo): one is in `all_reduce`, the other one sleeps for an hour "
        "before it tries again to upload a checkpoint."
    ),
    "threads-lost-in-fork": (
        "torch has computed, so that OpenMP has threads; a process that is forked then computes, "
        "too."
    ),
}
"""By rule: what the program does of which a capture was recorded by hand, as it needs much."""


def recorded_for(rule: str) -> Path:
    """Where the capture of a rule's own example is."""
    return ROOT / "snapshots" / "crash_member.hang" if rule == "crash" else FOLDER / f"{rule}.hang"
