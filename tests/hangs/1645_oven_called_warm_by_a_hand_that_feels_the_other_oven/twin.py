import os
import queue
import threading
import time

from bakery.kitchen import Kitchen, Stoker

FIELD = "warm"

if __name__ == "__main__":
    loaves = queue.Queue(5)
    kitchen = Kitchen(FIELD)
    threading.Thread(target=kitchen.bake, args=(loaves,), name="baker", daemon=True).start()
    threading.Thread(target=Stoker(kitchen).work, name="stoker", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sold = 0
    while True:
        loaves.get()
        sold += 1
        time.sleep(0.02)
