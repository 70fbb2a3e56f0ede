import os
import threading
import time

from inn.guest import Guest
from inn.house import Inn

LEAVES = True


def hearth():
    logs = 9
    while True:
        logs = logs - 1 or 9
        time.sleep(0.4)


def evening(rounds):
    inn = Inn()
    guests = [Guest(inn.address, name) for name in ("anna", "bert")]
    for _ in range(rounds):
        for guest in guests:
            guest.order(b"soup")
    guests[0].leave()
    if LEAVES:
        guests[1].leave()
    inn.shut()
    return sum(guest.eaten for guest in guests)


if __name__ == "__main__":
    threading.Thread(target=hearth, name="hearth", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        evening(5)
