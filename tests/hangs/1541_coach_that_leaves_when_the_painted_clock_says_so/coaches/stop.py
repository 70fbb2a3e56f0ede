import queue
import threading
import time


class Timetable:
    """When the next coach leaves, by the clock on the wall."""

    def __init__(self, every):
        self.every = every
        self.left_at = time.monotonic()

    def wait_for_departure(self):
        while time.monotonic() - self.left_at < self.every:
            time.sleep(0.02)
        self.left_at = time.monotonic()


class Coach(threading.Thread):
    def __init__(self, line, every, travellers, seats=3):
        super().__init__(name="coach-" + line, daemon=True)
        self.timetable = Timetable(every)
        self.travellers = travellers
        self.seats = seats
        self.carried = 0
        self.journeys = queue.Queue()

    def run(self):
        while True:
            self.timetable.wait_for_departure()
            aboard = []
            while len(aboard) < self.seats and not self.travellers.empty():
                aboard.append(self.travellers.get_nowait())
            self.carried += len(aboard)
            self.journeys.put(aboard)


class Gate(threading.Thread):
    def __init__(self, travellers):
        super().__init__(name="gate", daemon=True)
        self.travellers = travellers
        self.number = 0

    def run(self):
        while True:
            if self.travellers.qsize() < 12:
                self.travellers.put("traveller-%d" % self.number)
                self.number += 1
            threading.Event().wait(0.1)


class Station:
    def __init__(self):
        self.travellers = queue.Queue()
        self.gate = Gate(self.travellers)
        self.coach = Coach("valley", 0.5, self.travellers)

    def open(self):
        self.gate.start()
        self.coach.start()

    def next_journey(self):
        return self.coach.journeys.get()
