"""Two threads that enter two locks of a dict into exit stacks, in opposite orders.

With an argument an object has the dict, which refers to its items weakly; with "by number" as that,
its keys are numbers.
"""

import contextlib
import sys
import threading
import weakref

from ready import ready

locks = {"stock": threading.Lock(), "orders": threading.Lock()}
entered = threading.Semaphore(0)


class Tables:
    """Hands out the locks of tables by their names."""

    def __init__(self):
        self._kept = list(locks.values())
        self._locks = weakref.WeakValueDictionary(locks)

    def __getitem__(self, name):
        return self._locks[name]


STOCK, ORDERS = ("stock", "orders") if sys.argv[1:] != ["by number"] else (3, 4)
if sys.argv[1:] == ["by number"]:
    locks = {STOCK: threading.Lock(), ORDERS: threading.Lock()}
elif sys.argv[1:]:
    locks = Tables()


def lock_tables(tables, first, second):
    tables.enter_context(locks[first])
    entered.release()
    while entered._value < 2:
        pass
    if first == STOCK:
        ready()
    tables.enter_context(locks[second])


def work(first, second):
    with contextlib.ExitStack() as tables:
        lock_tables(tables, first, second)


if __name__ == "__main__":
    counter = threading.Thread(target=work, args=(ORDERS, STOCK), name="counter")
    counter.start()
    work(STOCK, ORDERS)
