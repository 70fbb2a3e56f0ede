import os
import queue
import threading
import time

from office.bag import Mailbag, Sorter
from office.house import serve

CLOSES_AFTER = 4

if __name__ == "__main__":
    port = serve(CLOSES_AFTER)
    counts = queue.Queue()
    sorter = Sorter()
    bag = Mailbag(port, counts)
    threading.Thread(target=bag.work, name="collector", daemon=True).start()
    threading.Thread(target=sorter.work, name="sorter", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        sorter.letters += counts.get()
        time.sleep(0.05)
