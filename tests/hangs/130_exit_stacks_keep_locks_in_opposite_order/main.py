import contextlib
import os
import signal
import threading

signal.alarm(120)
locks = {"stock": threading.Lock(), "orders": threading.Lock()}
both_begun = threading.Barrier(2)


def lock_tables(stack, names):
    for name in names:
        stack.enter_context(locks[name])
        if name == names[0]:
            both_begun.wait()


def book_order():
    with contextlib.ExitStack() as tables:
        lock_tables(tables, ["stock", "orders"])


def count_stock():
    with contextlib.ExitStack() as tables:
        lock_tables(tables, ["orders", "stock"])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    threading.Thread(target=count_stock, name="counter").start()
    book_order()
