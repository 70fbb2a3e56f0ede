import os
import signal
import time

from lent_keys import KeyRing

signal.alarm(120)


def send_bills(names):
    ring = KeyRing()
    while True:
        for name in names:
            ring.link_to(name)
            time.sleep(0.2)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    send_bills(["january", "february"])
