"""Two hundred threads (or as many as asked for): a pair in a deadlock, the others behind it."""

import sys
import threading

from ready import ready

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 200
first, second = threading.Lock(), threading.Lock()
both_locked = threading.Barrier(3)


def cross(mine, other):
    with mine:
        both_locked.wait()
        with other:
            pass


def descend(depth):
    if depth:
        return descend(depth - 1)
    with first:
        return depth


if __name__ == "__main__":
    threading.stack_size(256 * 1024)
    for name, locks in (("left", (first, second)), ("right", (second, first))):
        threading.Thread(target=cross, args=locks, name=name, daemon=True).start()
    both_locked.wait()
    for number in range(COUNT - 3):
        name = "queued-%d" % number
        threading.Thread(target=descend, args=(20,), name=name, daemon=True).start()
    ready()
    first.acquire()
