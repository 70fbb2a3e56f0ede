import os
import signal
import time

import fakeredis

signal.alarm(120)


def book_seat(pipe):
    left = int(pipe.get("seats"))
    if left:
        pipe.multi()
        pipe.set("seats", left - 1)


def sell(store, guests):
    for guest in guests:
        store.transaction(book_seat, "seats")
        print("seat for", guest)
        time.sleep(0.05)


if __name__ == "__main__":
    store = fakeredis.FakeRedis()
    store.set("seats", 100000)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sell(store, ["guest %d" % n for n in range(100000)])
