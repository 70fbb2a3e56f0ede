import sched
import threading
import time


class Ringer(threading.Thread):
    """Rings what stands in the day's table, one after the other."""

    def __init__(self):
        super().__init__(name="ringer")
        self.table = sched.scheduler(time.monotonic, time.sleep)
        self.rung = []

    def at(self, after, priority, act, *args):
        self.table.enter(after, priority, act, args)

    def run(self):
        self.table.run()


class Choir:
    def __init__(self, ringer):
        self.ringer = ringer
        self.assembled = threading.Event()
        self.sung = 0

    def assemble(self, voices):
        self.ringer.rung.append(("assemble", voices))
        self.assembled.set()

    def sing(self, psalm):
        self.assembled.wait()
        self.sung += 1
        self.ringer.rung.append(("sing", psalm))
        self.ringer.at(0.3, 2, self.sing, psalm + 1)


class Kitchen:
    def __init__(self, ringer):
        self.ringer = ringer
        self.meals = 0

    def serve(self):
        self.meals += 1
        self.ringer.at(0.5, 3, self.serve)
