"""Threads and tasks in loops that sleep: those that only look, and those that do more.

What a name begins with says what is true of it: `endless_` is left only if something comes,
`looks_` if an object says so; `does_` does more than to look, or gives up some time.
"""

import asyncio
import os
import queue
import subprocess
import sys
import threading
import time

from ready import ready

TURN_S, LONG_S = 0.05, 30.0


class Job:
    def __init__(self):
        self.done = False
        self.beats = self.tries = 0
        self.lock = threading.Lock()
        self.results = {}
        self.stopped, self.other = threading.Event(), threading.Event()
        self.seen = []

    @property
    def finished(self):
        return self.done

    def is_ready(self):
        with self.lock:
            return "key" in self.results

    def has(self, limit=None, key=""):
        if limit is not None and time.monotonic() > limit:
            raise TimeoutError
        return key in self.results

    async def ready(self):
        return "key" in self.results


JOB = Job()
JOBS = [JOB, Job()]
ITEMS = queue.Queue()
LIVING = [threading.Thread(target=JOB.stopped.wait, daemon=True) for _ in range(2)]
CHILD = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


def endless_flag():
    while not JOB.done:
        time.sleep(TURN_S)


def endless_property():
    while not JOB.finished:
        time.sleep(TURN_S)


def endless_beats():
    while not JOB.stopped.wait(TURN_S):
        JOB.beats += 1


def endless_first_turn():
    while not JOB.stopped.wait(LONG_S):
        JOB.beats += 1


def endless_report():
    while True:
        time.sleep(LONG_S)
        print(JOB.beats, f"{JOB.tries} tries", flush=True)


def endless_without_a_limit(timeout=-1.0):
    begun, limit = time.time(), None
    while not JOB.done:
        if 0 < timeout < time.time() - begun:
            raise TimeoutError
        if limit is not None and time.monotonic() > limit:
            break
        time.sleep(TURN_S)


def looks_under_a_lock():
    while not JOB.is_ready():
        time.sleep(TURN_S)


def looks_whether_any_lives():
    while any(one.is_alive() for one in LIVING):
        time.sleep(TURN_S)


def looks_at_one_after_the_other():
    while True:
        for job in JOBS:
            if job.is_ready():
                return
        time.sleep(TURN_S)


def looks_whether_all_are_done():
    while not all([job.finished for job in JOBS]):  # noqa: C419  compiled in another way
        time.sleep(TURN_S)


def looks_without_the_limit():
    while not JOBS[1].has(key="key", limit=None):
        time.sleep(TURN_S)


def does_give_up_in_a_call():
    while not JOBS[1].has(key="key", limit=1e9):
        time.sleep(TURN_S)


def looks_at_a_child():
    while CHILD.poll() is None:
        time.sleep(TURN_S)


def does_set_one_after_the_other():
    while not JOB.done:
        for job in JOBS:
            job.other.set()
        time.sleep(TURN_S)


def does_keep_any():
    while not any(job.seen.append(1) for job in JOBS):
        time.sleep(TURN_S)


def does_ask_the_clock():
    while not all(time.monotonic() > job.beats + 1e9 for job in JOBS):
        time.sleep(TURN_S)


def does_give_up():
    begun = time.monotonic()
    while not JOB.done:
        if time.monotonic() - begun > LONG_S:
            break
        time.sleep(TURN_S)


def does_count():
    tries = 0
    while not JOB.done:
        tries += 1
        if tries > 10_000:
            break
        time.sleep(TURN_S)


def does_count_down():
    for _ in range(10_000):
        if JOB.done:
            break
        time.sleep(TURN_S)


def does_count_attributes():
    while JOB.tries < 10_000:
        JOB.tries += 1
        time.sleep(TURN_S)


def does_ask_for_a_file():
    while not os.path.exists("/nowhere"):
        time.sleep(TURN_S)


def does_print_elsewhere():
    while not JOB.done:
        time.sleep(LONG_S)
        print(JOB.beats, file=sys.stderr)


def does_set():
    while not JOB.done:
        time.sleep(TURN_S)
        JOB.other.set()


def does_keep():
    while not JOB.done:
        JOB.seen.append(1)
        time.sleep(TURN_S)


def does_wait_once():
    while True:
        if not JOB.stopped.wait(0.5):
            time.sleep(LONG_S)


def endless_get():
    while True:
        try:
            ITEMS.get(timeout=TURN_S)
            return
        except queue.Empty:
            continue


def does_more_when_it_is_empty():
    while True:
        try:
            ITEMS.get(timeout=TURN_S)
        except queue.Empty:
            JOB.results["turns"] = 1


async def looks_in_a_task():
    while not await JOB.ready():
        await asyncio.sleep(TURN_S)


async def looks_without_a_limit(timeout=-1.0):
    begun = time.time()
    while not await JOB.ready():
        if 0 < timeout < time.time() - begun:
            raise TimeoutError
        await asyncio.sleep(TURN_S)


async def endless_wait_for():
    while True:
        try:
            await asyncio.wait_for(NEVER.wait(), TURN_S)
            return
        except asyncio.TimeoutError:
            continue


async def endless_flag_waited_for():
    while not JOB.done:
        try:
            await asyncio.wait_for(LETTERS.get(), TURN_S)
        except (asyncio.TimeoutError, ValueError):
            pass


async def does_ask_after_waiting():
    while True:
        try:
            await asyncio.wait_for(NEVER.wait(), TURN_S)
            return
        except asyncio.TimeoutError:
            JOB.results["turns"] = 1


async def asks():
    JOB.results["asked"] = 1
    await NEVER.wait()


async def does_more_while_waiting():
    while True:
        try:
            await asyncio.wait_for(asks(), TURN_S)
        except asyncio.TimeoutError:
            continue


async def does_end_with_the_time():
    while not JOB.done:
        try:
            await asyncio.wait_for(NEVER.wait(), LONG_S)
        except asyncio.TimeoutError:
            break


async def does_give_up_in_a_task():
    begun = time.time()
    while not await JOB.ready():
        await asyncio.sleep(TURN_S)
        if time.time() - begun > LONG_S:
            break


THREADS = [
    endless_flag, endless_property, endless_beats, endless_first_turn, endless_report,
    endless_without_a_limit, endless_get, does_more_when_it_is_empty,
    looks_under_a_lock, looks_whether_any_lives, looks_at_one_after_the_other,
    looks_whether_all_are_done, looks_without_the_limit, does_give_up_in_a_call,
    looks_at_a_child, does_set_one_after_the_other, does_keep_any,
    does_ask_the_clock, does_give_up, does_count, does_count_down, does_count_attributes,
    does_ask_for_a_file, does_print_elsewhere, does_set, does_keep, does_wait_once,
]  # fmt: skip


TASKS = [
    looks_in_a_task, looks_without_a_limit, does_give_up_in_a_task, endless_wait_for,
    endless_flag_waited_for, does_ask_after_waiting, does_more_while_waiting,
    does_end_with_the_time,
]  # fmt: skip


async def main():
    global NEVER, LETTERS
    NEVER, LETTERS = asyncio.Event(), asyncio.Queue()
    for one in LIVING:
        one.start()
    for function in THREADS:
        threading.Thread(target=function, name=function.__name__, daemon=True).start()
    tasks = [asyncio.ensure_future(one()) for one in TASKS]
    await asyncio.sleep(1)
    ready()
    await asyncio.wait(tasks)


if __name__ == "__main__":
    if sys.argv[1:]:
        threading.Thread(target=endless_first_turn).start()
        ready()
    else:
        asyncio.run(main())
