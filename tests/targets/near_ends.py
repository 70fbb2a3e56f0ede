"""Somebody waits for an answer, or for what a library gives, and who is to give it waits as well.

First: ``task`` (both ends of a connection are protocols of a library's, in one event loop),
``thread`` (a thread polls a connection whose other end another thread serves), ``pool`` (results of
multiprocessing's `ThreadPool`), ``spin`` (a lock of a library that is tried again and again).
Then ``hung``: who is to answer waits for what the one who waits has; or ``slow``: he sleeps for a
while, again and again.
"""

import asyncio
import os
import sys
import threading
import time
from multiprocessing.pool import ThreadPool

from ready import ready

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "near_ends_of/site-packages"))  # fmt: skip  # noqa: E501

import tinychat

FIRST, STATE = sys.argv[1:3]
ledger = threading.Lock()
begun = threading.Event()


def settle(question):
    begun.set()
    if STATE == "slow":
        time.sleep(0.3)
        return question
    with ledger:
        return question


async def settle_later(question):
    if STATE == "slow":
        await asyncio.sleep(0.3)
        return question
    async with later:
        return question


def close_books(way):
    while True:
        if STATE == "slow":
            way()
            continue
        with ledger:
            threading.Timer(0.3, ready).start()
            way()


def hold(lock):
    with lock:
        settle(b"?")


async def ask_for_all():
    global later
    later, loop = asyncio.Lock(), asyncio.get_event_loop()
    server = await loop.create_server(lambda: tinychat.Answerer(settle_later), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    _, caller = await loop.create_connection(tinychat.Caller, "127.0.0.1", port)
    loop.call_later(0.3, ready)
    while True:
        if STATE == "slow":
            await caller.ask(b"?")
            continue
        async with later:
            await caller.ask(b"?")


def main():
    if FIRST == "task":
        asyncio.get_event_loop_policy().new_event_loop().run_until_complete(ask_for_all())
    if STATE == "slow":
        threading.Timer(0.3, ready).start()
    if FIRST == "thread":
        exchange = tinychat.Exchange(settle)
        import socket

        def ask():
            with socket.create_connection(exchange.listener.getsockname()) as sock:
                tinychat.Line(sock).ask(b"?")

        close_books(ask)
    elif FIRST == "pool":
        pool = ThreadPool(2)
        close_books(lambda: pool.map(settle, range(4)))
    else:
        lock = tinychat.SpinLock()

        def take():
            holder = threading.Thread(target=hold, args=(lock,), name="clerk", daemon=True)
            begun.clear()
            holder.start()
            begun.wait()
            with lock:
                pass

        close_books(take)


main()
