import queue
import threading
import time


class Guesthouse(threading.Thread):
    def __init__(self, choir):
        super().__init__(name="guesthouse", daemon=True)
        self.choir = choir
        self.guests = queue.Queue()

    def welcome(self, guest):
        time.sleep(0.01)
        return guest, self.choir.sung

    def run(self):
        while True:
            self.welcome(self.guests.get())


class Garden(threading.Thread):
    def __init__(self):
        super().__init__(name="garden", daemon=True)
        self.weeds = 40

    def run(self):
        while True:
            self.weeds = max(0, self.weeds - 1)
            time.sleep(0.7)


def day(ringer, choir, kitchen, hours):
    ringer.at(0.1, 1, kitchen.serve)
    ringer.at(hours["sing"], 1, choir.sing, 1)
    ringer.at(hours["assemble"], 1, choir.assemble, 8)
