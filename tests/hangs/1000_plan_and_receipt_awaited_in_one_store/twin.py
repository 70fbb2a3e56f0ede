import datetime
import os
import threading
import time

from torch.distributed import HashStore, PrefixStore


def publish(store, number):
    store.set("plan-%d" % number, "pages %d" % (number % 7))


def await_receipt(store, number):
    return store.get("receipt-%d" % number)


def plan(store):
    number = 0
    while True:
        if number in CONFIRMED_FIRST:
            await_receipt(store, number)
        publish(store, number)
        await_receipt(store, number)
        number += 1
        time.sleep(0.01)


def read_plan(store, number):
    return store.get("plan-%d" % number)


def follow(store):
    number = 0
    while True:
        pages = read_plan(store, number)
        store.set("receipt-%d" % number, pages)
        number += 1


CONFIRMED_FIRST = set()


if __name__ == "__main__":
    base = HashStore()
    base.set_timeout(datetime.timedelta(days=1))
    store = PrefixStore("job", base)
    threading.Thread(target=plan, args=(store,), name="planner", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    follow(store)
