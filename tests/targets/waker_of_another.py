"""waker_of_another.py: main waits for the event of an office whose clerk, a thread, comes to a
function that takes an event from the office's attribute and sets it: another one, `other`; or, with
the argument `own`, the very one. Then it sets that of the office's helper, which is `None`; or,
with `helped`, the office itself.
"""

import sys
import threading
import time

from ready import ready

HOUR_S = 3600
WHOSE = sys.argv[1]


class Office:
    def __init__(self):
        self.wanted = threading.Event()
        self.other = self.wanted if WHOSE == "own" else None
        self.helper = self if WHOSE == "helped" else None

    def tell(self):
        event = self.other
        if event is not None:
            event.set()

    def ask(self):
        if self.helper is not None:
            self.helper.wanted.set()

    def work(self):
        ready()
        time.sleep(HOUR_S)
        self.tell()
        self.ask()


office = Office()
threading.Thread(target=office.work, name="clerk", daemon=True).start()
office.wanted.wait()
