import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor


class Office:
    def __init__(self):
        self.counter = ThreadPoolExecutor(2, thread_name_prefix="clerk")
        self.done = Counter()
        self.due = False

    def file(self, kind):
        self.done[kind] += 1

    def hand_in(self, kind):
        return self.counter.submit(self.file, kind)

    def remind(self, number, frame):
        if NOTED:
            self.due = True
        else:
            self.hand_in("reminder")
        signal.setitimer(signal.ITIMER_REAL, 0.003)

    def morning(self):
        for _ in range(200):
            self.hand_in("form")
        if self.due:
            self.due = False
            self.hand_in("reminder")


def run_office(office):
    signal.signal(signal.SIGALRM, office.remind)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    while True:
        office.morning()
        time.sleep(0.001)


NOTED = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_office(Office())
