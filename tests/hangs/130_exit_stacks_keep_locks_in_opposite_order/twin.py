import contextlib
import os
import signal
import threading
import time

signal.alarm(120)
locks = {"stock": threading.Lock(), "orders": threading.Lock()}


def lock_tables(stack, names):
    for name in sorted(names):
        stack.enter_context(locks[name])


def book_order():
    with contextlib.ExitStack() as tables:
        lock_tables(tables, ["stock", "orders"])
        time.sleep(0.02)


def count_stock():
    while True:
        with contextlib.ExitStack() as tables:
            lock_tables(tables, ["orders", "stock"])
            time.sleep(0.02)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    threading.Thread(target=count_stock, name="counter").start()
    while True:
        book_order()
        time.sleep(0.01)
