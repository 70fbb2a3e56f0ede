import logging
import queue
import threading
import time
from graphlib import TopologicalSorter

log = logging.getLogger("yard")


class Trade(threading.Thread):
    """One of those who do what is ready to be done."""

    def __init__(self, name, ready, done, skills):
        super().__init__(name=name, daemon=True)
        self.ready = ready
        self.done = done
        self.skills = skills

    def run(self):
        while True:
            step = self.ready.get()
            try:
                self.skills[step]()
            except Exception:
                log.exception("%s went wrong", step)
            else:
                self.done.put(step)


class Yard:
    def __init__(self, skills):
        self.ready = queue.SimpleQueue()
        self.done = queue.SimpleQueue()
        self.trades = [
            Trade(name, self.ready, self.done, skills) for name in ("joiner", "caulker", "rigger")
        ]

    def open(self):
        for trade in self.trades:
            trade.start()

    def build(self, plan):
        order = TopologicalSorter(plan)
        order.prepare()
        built = []
        while order.is_active():
            for step in order.get_ready():
                self.ready.put(step)
            step = self.done.get()
            order.done(step)
            built.append(step)
        return built


class Weather(threading.Thread):
    def __init__(self):
        super().__init__(name="weather", daemon=True)
        self.rain = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.rain = (self.rain * 31 + 7) % 11
