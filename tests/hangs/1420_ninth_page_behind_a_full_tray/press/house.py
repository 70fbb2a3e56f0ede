import os
import queue
import threading
import time

from press.tray import Tray


class Setter(threading.Thread):
    def __init__(self, name, manuscript, tray):
        super().__init__(name=name, daemon=True)
        self.manuscript = manuscript
        self.tray = tray

    def set_page(self, number):
        time.sleep(0.5 if number % 17 == 8 else 0.01)
        return "page %d" % number

    def run(self):
        while True:
            number = self.manuscript.get()
            self.tray.lay(number, self.set_page(number))


class Author(threading.Thread):
    def __init__(self, manuscript):
        super().__init__(name="author", daemon=True)
        self.manuscript = manuscript

    def run(self):
        number = 0
        while True:
            self.manuscript.put(number)
            number += 1


class Printer(threading.Thread):
    def __init__(self, tray):
        super().__init__(name="printer")
        self.tray = tray
        self.printed = []

    def run(self):
        while True:
            self.printed = [*self.printed[-3:], self.tray.take()]


class Smoke(threading.Thread):
    def __init__(self):
        super().__init__(name="smoke", daemon=True)
        self.puffs = 0

    def run(self):
        while True:
            self.puffs += 1
            time.sleep(0.35)


def run_press(reserve):
    manuscript = queue.Queue(6)
    tray = Tray(5, reserve)
    printer = Printer(tray)
    Smoke().start()
    Author(manuscript).start()
    for name in ("setter-a", "setter-b", "setter-c"):
        Setter(name, manuscript, tray).start()
    printer.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    printer.join()
