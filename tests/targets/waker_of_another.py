"""waker_of_another.py: main waits for the event of an office whose clerk, a thread, comes to a
function that takes an event from the office's attribute and sets it: another one, `other`; or, with
the argument `own`, the very one.
"""

import sys
import threading
import time

from ready import ready

HOUR_S = 3600


class Office:
    def __init__(self):
        self.wanted = threading.Event()
        self.other = self.wanted if sys.argv[1] == "own" else None

    def tell(self):
        event = self.other
        if event is not None:
            event.set()

    def work(self):
        ready()
        time.sleep(HOUR_S)
        self.tell()


office = Office()
threading.Thread(target=office.work, name="clerk", daemon=True).start()
office.wanted.wait()
