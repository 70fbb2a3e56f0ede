import itertools
import os
import threading
import time

import pykka

SIGNED = False


class Calendar(pykka.ThreadingActor):
    def __init__(self):
        super().__init__()
        self.days = {}

    def book(self, day, who):
        self.days[day] = who
        if len(self.days) > 5 and not SIGNED:
            approved.wait()
        time.sleep(0.05)
        return True


class Desk(pykka.ThreadingActor):
    def __init__(self, calendar):
        super().__init__()
        self.calendar = calendar

    def ask(self, day):
        return self.calendar.proxy().book(day, "ada").get()


def beat():
    while True:
        time.sleep(0.3)


def main():
    calendar = Calendar.start()
    desk = Desk.start(calendar)
    threading.Thread(target=beat, name="beat", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for day in itertools.count():
        desk.proxy().ask(day).get()
        time.sleep(0.05)


approved = threading.Event()
main()
