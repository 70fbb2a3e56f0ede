import os
import signal

from keys import KeyRing

signal.alarm(120)


def send_bills(names):
    ring = KeyRing()
    for name in names:
        print(name, ring.link_to(name))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    send_bills(["january", "february"])
