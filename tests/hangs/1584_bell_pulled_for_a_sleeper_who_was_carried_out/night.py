import os
import threading
import time

from tower import Tower


class Night:
    def __init__(self):
        self.tower = Tower()
        self.hours = []

    def lamps(self):
        while True:
            time.sleep(0.5)

    def keep(self, dismissed):
        self.tower.hire("north", "south", "east")
        threading.Thread(target=self.lamps, name="lamps", daemon=True).start()
        time.sleep(1)
        if dismissed:
            self.tower.dismiss(dismissed)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            self.hours.append(self.tower.ring())
            time.sleep(0.5)
