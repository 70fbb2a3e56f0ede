"""A post office where letters are waited for with a time limit, again and again, or at the end.

Usage: post_office.py KIND. Open, as somebody may bring a letter: ``worker``, ``clock``, ``child``,
``handler``, ``served``, ``later``, ``ticked``, ``reader``; and ``finalizer``, which waits for a
thread that is at work. Shut for good: ``exit``, ``flag``, ``pool``, ``pairs``, ``tasks``; and
``stopped``, until somebody lets a process go on that shares what is waited for.
"""

import asyncio
import atexit
import multiprocessing
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

from ready import ready

KIND = sys.argv[1]
letters, closing = queue.Queue(), threading.Event()


def sort_letters():
    while not closing.is_set():
        try:
            print(letters.get(timeout=0.3))
        except queue.Empty:
            continue


def take_letters():
    while True:
        try:
            if letters.get(timeout=0.3) is None:
                return
        except queue.Empty:
            continue


def watch_the_door():
    while not closing.is_set():
        time.sleep(0.1)


def listen():
    left, right = socket.socketpair()
    left.recv(1)
    right.close()


def serve(server):
    while True:
        line, _ = server.accept()
        letters.put(line.recv(100))


def stamp():
    while True:
        time.sleep(20)
        letters.put("stamp")


def read(pipe):
    for line in pipe:
        letters.put(line)


def count():
    while True:
        sum(range(100_000))


def beside(function, *arguments):
    threading.Thread(target=function, args=arguments, name=function.__name__, daemon=True).start()


def worker():
    beside(serve, socket.create_server(("127.0.0.1", 0)))
    sort_letters()


def clock():
    beside(stamp)
    sort_letters()


def child():
    command = [sys.executable, "-c", "import time; time.sleep(300)"]
    beside(read, subprocess.Popen(command, stdout=subprocess.PIPE).stdout)
    sort_letters()


def handler():
    signal.signal(signal.SIGUSR1, lambda *_: letters.put("signal"))
    take_letters()


def finalizer():
    thread = threading.Thread(target=count, name="count", daemon=True)
    thread.start()
    parcel = type("Parcel", (), {})()
    weakref.finalize(parcel, thread.join)
    del parcel


def at_exit():
    threading.Thread(target=take_letters, name="take_letters").start()
    letters.put("last")


def flag():
    thread = threading.Thread(target=watch_the_door, name="watch_the_door", daemon=True)
    atexit.register(thread.join)
    thread.start()


def pool():
    with ThreadPoolExecutor(2, thread_name_prefix="clerk") as clerks:
        clerks.submit(take_letters)
        clerks.submit(take_letters)


def pairs():
    with ThreadPoolExecutor(2, thread_name_prefix="clerk") as clerks:
        clerks.submit(listen)
        clerks.submit(listen)


def wait_for_stamps(stamps, begun):
    begun.wait()
    with stamps:
        stamps.release()


def stopped():
    context = multiprocessing.get_context("fork")
    stamps, begun = context.Semaphore(0), context.Barrier(3)
    clerks = [context.Process(target=wait_for_stamps, args=(stamps, begun)) for _ in range(2)]
    for clerk in clerks:
        clerk.start()
    begun.wait()
    time.sleep(0.5)
    os.kill(clerks[0].pid, signal.SIGSTOP)
    ready()
    clerks[0].join()


async def sort_in_task(box, shut):
    while not shut.is_set():
        try:
            print(await asyncio.wait_for(box.get(), 0.3))
        except asyncio.TimeoutError:
            continue


async def tick(box):
    while True:
        await asyncio.sleep(30)
        box.put_nowait("stamp")


async def wait_for_bell(bell):
    await bell.wait()


async def tasks():
    box, shut, loop = asyncio.Queue(), asyncio.Event(), asyncio.get_running_loop()
    kept = []
    if KIND == "served":

        async def client(reader, writer):
            box.put_nowait(await reader.readline())
            writer.close()

        kept.append(await asyncio.start_server(client, "127.0.0.1", 0))
    if KIND == "later":
        loop.call_later(500, box.put_nowait, "stamp")
    if KIND == "ticked":
        kept.append(asyncio.ensure_future(tick(box)))
    if KIND == "reader":
        ours, theirs = socket.socketpair()
        loop.add_reader(ours, lambda: box.put_nowait(ours.recv(1)))
        subprocess.Popen(["sleep", "500"], stdin=theirs)
        theirs.close()
    if KIND == "tasks":
        kept.append(asyncio.ensure_future(wait_for_bell(asyncio.Event())))
    ready()
    await sort_in_task(box, shut)


KINDS = {
    "worker": worker, "clock": clock, "child": child, "handler": handler, "finalizer": finalizer,
    "exit": at_exit, "flag": flag, "pool": pool, "pairs": pairs, "stopped": stopped,
}  # fmt: skip

if __name__ == "__main__":
    if KIND in KINDS:
        if KIND != "stopped":
            threading.Timer(0.5, ready).start()
        KINDS[KIND]()
    else:
        asyncio.run(tasks())
