import datetime
import os
import socket
import threading
import time

from torch.distributed import TCPStore


def publish_plans(store):
    number = 0
    while True:
        pages = LONG if number % 30 == 29 else 1
        time.sleep(0.005 * pages)
        store.set("plan-%d" % number, "pages %d" % pages)
        number += 1


def read_plan(store, number):
    return store.get("plan-%d" % number)


def run(store):
    number = 0
    while True:
        time.sleep(0.02)
        read_plan(store, number)
        number += 1


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


LONG = 200


if __name__ == "__main__":
    port = free_port()
    day = datetime.timedelta(days=1)
    store = TCPStore("127.0.0.1", port, is_master=True, wait_for_workers=False, timeout=day)
    threading.Thread(target=publish_plans, args=(store,), name="planner", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run(store)
