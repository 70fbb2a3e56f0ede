"""Two threads that enter two locks of a dict into exit stacks, in opposite orders."""

import contextlib
import threading

from ready import ready

locks = {"stock": threading.Lock(), "orders": threading.Lock()}
entered = threading.Semaphore(0)


def lock_tables(tables, first, second):
    tables.enter_context(locks[first])
    entered.release()
    while entered._value < 2:
        pass
    if first == "stock":
        ready()
    tables.enter_context(locks[second])


def work(first, second):
    with contextlib.ExitStack() as tables:
        lock_tables(tables, first, second)


if __name__ == "__main__":
    counter = threading.Thread(target=work, args=("orders", "stock"), name="counter")
    counter.start()
    work("stock", "orders")
