"""A program in which nobody is left to end a wait.

Usage: left_for_good.py NAME
NAME: the function that hangs.
"""

import asyncio
import multiprocessing
import os
import queue
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from concurrent import futures

from ready import ready


class Oven:
    """Heated by one who gets no turn."""

    def __init__(self):
        self.degrees = 0
        self.lock = threading.Lock()

    def heat(self):
        with self.lock:
            self.degrees += 20

    async def heat_slowly(self):
        await asyncio.sleep(0)
        self.degrees += 20

    def watch(self):
        while self.degrees < 200:
            pass


def carry():
    time.sleep(0.1)


def carriers_forgotten():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    carriers = [multiprocessing.Process(target=carry, name="carrier") for _ in range(2)]
    for carrier in carriers:
        carrier.start()
    threading.Timer(1, ready).start()
    while any(carrier.is_alive() for carrier in carriers):
        time.sleep(0.1)


def take_letters(letters):
    while True:
        letters.get()


def weigh_letters(letters, weights):
    while True:
        weights.put(len(letters.get()))


def one_weight_too_many():
    letters, weights = queue.Queue(), queue.Queue()
    for _ in range(2):
        threading.Thread(target=weigh_letters, args=(letters, weights)).start()
    for letter in ("a", "bc"):
        letters.put(letter)
    threading.Timer(1, ready).start()
    while True:
        weights.get()


def wait_for_letters(arrived):
    with arrived:
        arrived.wait()


def join_who_waits_for_a_notification():
    postman = threading.Thread(target=wait_for_letters, args=(threading.Condition(),))
    postman.start()
    threading.Timer(1, ready).start()
    postman.join()


def join_a_taker():
    letters = queue.Queue()
    takers = [threading.Thread(target=take_letters, args=(letters,)) for _ in range(2)]
    for taker in takers:
        taker.start()
    ready()
    for taker in takers:
        taker.join()


def spin_with_the_lock():
    oven = Oven()
    with oven.lock:
        threading.Thread(target=oven.heat, name="heater").start()
        ready()
        oven.watch()


async def watch_slowly(oven):
    heating = asyncio.create_task(oven.heat_slowly())
    await asyncio.sleep(0)
    ready()
    oven.watch()
    await heating


def spin_in_a_task():
    asyncio.run(watch_slowly(Oven()))


def several_futures():
    lock = threading.Lock()
    lock.acquire()
    with futures.ThreadPoolExecutor(2, "baker") as pool:
        baked = [pool.submit(lock.acquire) for _ in range(2)]
        ready()
        futures.wait(baked)


def wait_a_day():
    time.sleep(86400)


def child_of_the_fork_server():
    context = multiprocessing.get_context("forkserver")
    child = context.Process(target=wait_a_day, name="clerk", daemon=True)
    child.start()
    ready()
    child.join()


async def bell_that_wakes_nobody():
    bell = asyncio.get_running_loop().create_future()

    def ring():
        time.sleep(0.3)
        bell.set_result("closed")
        ready()

    threading.Thread(target=ring).start()
    await bell


def killed_clerk_of_the_fork_server():
    context = multiprocessing.get_context("forkserver")
    letters = context.Queue()
    clerk = context.Process(target=os.abort, name="clerk")
    clerk.start()
    time.sleep(1)
    ready()
    letters.get()


def bring(letters, number):
    if number:
        os.kill(os.getpid(), signal.SIGKILL)
    letters.put(number)


def one_of_two_is_killed():
    context = multiprocessing.get_context("fork")
    letters = context.Queue()
    for number in range(2):
        context.Process(target=bring, args=(letters, number)).start()
    letters.get()
    time.sleep(1)
    ready()
    letters.get()


def shared_lock_in_a_thread():
    till = multiprocessing.Lock()
    till.acquire()

    async def sell():
        ready()
        await asyncio.get_running_loop().run_in_executor(None, till.acquire)

    asyncio.run(sell())


def book(first, second, barrier):
    stock = sqlite3.connect(first, timeout=6000, isolation_level=None)
    orders = sqlite3.connect(second, timeout=6000, isolation_level=None)
    stock.execute("BEGIN IMMEDIATE")
    barrier.wait()
    orders.execute("BEGIN IMMEDIATE")


def crossed_databases():
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        stock, orders = (os.path.join(folder, name) for name in ("stock", "orders"))
        barrier = context.Barrier(2)
        context.Process(target=book, args=(orders, stock, barrier), daemon=True).start()
        threading.Timer(1, ready).start()
        book(stock, orders, barrier)


def child_that_waits_for_the_loop():
    context = multiprocessing.get_context("fork")
    letters = context.Queue()

    async def employ():
        clerk = context.Process(target=letters.get, name="clerk")
        clerk.start()
        ready()
        await asyncio.get_running_loop().run_in_executor(None, clerk.join)
        letters.put("bye")

    asyncio.run(employ())


if __name__ == "__main__":
    function = globals()[sys.argv[1]]
    asyncio.run(function()) if asyncio.iscoroutinefunction(function) else function()
