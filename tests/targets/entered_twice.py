"""A package's lock, which lies in a database, is entered inside of another one: of the same name by
the thread ring, of another name by the thread apart. The thread keeper has one that the thread
wants asks for."""

import threading
import time

from ready import ready

PACKAGE = """
import time

class Lock:
    taken = set()

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        while self.name in self.taken:
            time.sleep(3600)
        self.taken.add(self.name)

    def __exit__(self, *failed):
        self.taken.discard(self.name)
"""
package = {"__name__": "store"}
exec(compile(PACKAGE, "/srv/site-packages/store/lock.py", "exec"), package)
Lock = package["Lock"]


def count(name):
    with Lock(name):
        return 1


def take(first, second):
    with Lock(first):
        return count(second)


def keep(name):
    with Lock(name):
        time.sleep(3600)


def main():
    Lock.taken.add("ledger")
    threading.Thread(target=take, args=("pantry", "pantry"), name="ring", daemon=True).start()
    apart = threading.Thread(target=take, args=("cellar", "ledger"), name="apart", daemon=True)
    apart.start()
    threading.Thread(target=keep, args=("attic",), name="keeper", daemon=True).start()
    time.sleep(0.2)
    threading.Thread(target=count, args=("attic",), name="wants", daemon=True).start()
    time.sleep(0.3)
    ready()
    apart.join()


if __name__ == "__main__":
    main()
