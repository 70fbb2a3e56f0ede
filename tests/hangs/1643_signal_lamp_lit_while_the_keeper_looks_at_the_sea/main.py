import asyncore
import os
import threading
import time

from lighthouse.clerk import Clerk
from lighthouse.lamp import Lamp, serve

NAP = None


def tide():
    level = 0
    while True:
        level = (level + 1) % 12
        time.sleep(0.5)


if __name__ == "__main__":
    port = serve()
    lamp = Lamp(port)
    clerk = Clerk(lamp)
    threading.Thread(target=clerk.work, name="clerk", daemon=True).start()
    threading.Thread(target=tide, name="tide", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        asyncore.loop(timeout=NAP or 86400, count=1)
