import os
import threading
import time

from crossing.ferry import Dispatcher, Ferry
from crossing.shore import serve

EAGER = False


class Ledger:
    def __init__(self):
        self.entries = []

    def work(self, ferries):
        while True:
            self.entries = [ferry.trips for ferry in ferries]
            time.sleep(0.5)


if __name__ == "__main__":
    port = serve()
    dispatcher = Dispatcher()
    ferries = [Ferry(port, name, eager=EAGER) for name in ("north", "south")]
    for ferry in ferries:
        dispatcher.enrol(ferry)
    ledger = Ledger()
    threading.Thread(target=ledger.work, args=(ferries,), name="ledger", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    dispatcher.work()
