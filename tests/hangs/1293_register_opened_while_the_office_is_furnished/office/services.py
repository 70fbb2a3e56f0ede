import itertools
import threading
import time

from office.single import Single


class Settings(metaclass=Single):
    def __init__(self):
        self.values = {"currency": "EUR", "rows": 40}


class Register(metaclass=Single):
    def __init__(self):
        self.rows = Settings().values["rows"]
        self.entries = []

    def enter(self, text):
        self.entries = [*self.entries[-self.rows :], text]


class Clock(threading.Thread):
    def __init__(self):
        super().__init__(name="clock", daemon=True)
        self.ticks = itertools.count()

    def run(self):
        while True:
            time.sleep(0.25)
            next(self.ticks)
