import os
import signal

import fakeredis

signal.alarm(120)


def book_seat(pipe):
    left = int(pipe.get("seats"))
    if left:
        pipe.set("seats", left - 1)


def sell(store, guests):
    for guest in guests:
        store.transaction(book_seat, "seats")
        print("seat for", guest)


if __name__ == "__main__":
    store = fakeredis.FakeRedis()
    store.set("seats", 100000)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sell(store, ["guest %d" % n for n in range(100000)])
