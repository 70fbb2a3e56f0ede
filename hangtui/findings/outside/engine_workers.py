"""Workers of an engine that carry out a command while somebody waits for what comes of it."""

from hangtui.findings.collectives import collective, exchange
from hangtui.findings.english import listed
from hangtui.findings.outside.cluster_workers import cluster_at_work
from hangtui.findings.protocols import PROTOCOLS, awaits_command, starts_others
from hangtui.findings.services import is_helper
from hangtui.findings.stack_queries import at, main_thread, name_of, own_frame, stood_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Pid, Thread


def workers_at_work(pid: Pid, words: Words) -> list[Thread]:
    """The main threads of workers, started by *pid* or by whom that has started, that are at a
    command and get on: they ran, or wait for a child that they have started for it."""
    found = []
    for process in words.capture.processes:
        main = main_thread(process) if process.pid != pid else None
        if main is None or not _at_command(main) or not _descends(process.pid, pid, words):
            continue
        wait = words.graph.wait_of(main.id)
        for_child = wait is not None and wait.target.kind is NodeKind.PROCESS
        if for_child or _compiles(main) or stood_s(main, words) < STILL_S:
            found.append(main)
    return found


def others_at_work(pid: Pid, package: str, words: Words) -> bool:
    """Whether somebody is at work for one who waits in *package*: such a worker, or Ray's, or a
    process of an engine that starts."""
    if package == "ray" and cluster_at_work(words):
        return True
    return bool(workers_at_work(pid, words) or starting(pid, words))


def starting(pid: Pid, words: Words) -> list[Thread]:
    """The main threads of processes, started by *pid* or by whom that has started, for whose start
    it waits, and that get on with it."""
    process = words.capture.process(pid)
    main = main_thread(process) if process else None
    if main is None or not starts_others(main):
        return []
    below = (p for p in words.capture.processes if p.pid != pid and not is_helper(p))
    mains = [one for p in below if _descends(p.pid, pid, words) and (one := main_thread(p))]
    return [one for one in mains if not (starts_others(one) or awaits_command(one))
            and (_compiles(one) or not one.asleep or stood_s(one, words) < STILL_S)]  # fmt: skip


def told_starting(threads: list[Thread], words: Words) -> str:
    """`` Still at its start: process 9 at main.py:16 (<module>).``; empty: nobody."""
    told = [f"{words.process_name(t.pid)}{at(own_frame(t))}" for t in threads[:NAMES_LISTED]]
    return f" Still at its start: {listed(told)}." if told else ""


def told_at_work(threads: list[Thread], words: Words) -> str:
    """`` VLLM::Worker_TP0 carries out a command, at codecache.py:9 (build).``; empty: nobody."""
    told = [f"{words.process_name(t.pid)}{at(own_frame(t))}" for t in threads[:NAMES_LISTED]]
    carry = "carries" if len(threads) == 1 else "carry"
    return f" Meanwhile {listed(told)} {carry} out a command." if told else ""


def _at_command(thread: Thread) -> bool:
    names = (frame for frame in thread.python_stack or ())
    if collective(thread) or exchange(thread):
        return False  # who spins there does not get on by itself
    serves = any(one.has(f) and name_of(f) == one.serves for f in names for one in PROTOCOLS)
    return serves and awaits_command(thread) is None


def _compiles(thread: Thread) -> bool:
    """Whether it waits for the output of a program that it has started."""
    return any(frame.filename.endswith("/subprocess.py") for frame in thread.python_stack or ())


def _descends(pid: Pid, ancestor: Pid, words: Words) -> bool:
    seen = set[int]()
    while (process := words.capture.process(pid)) is not None and pid not in seen:
        seen.add(pid)
        pid = process.ppid
        if pid == ancestor:
            return True
    return False
