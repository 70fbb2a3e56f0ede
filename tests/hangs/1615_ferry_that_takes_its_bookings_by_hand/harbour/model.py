import queue
import time

import simpy


class Timetable:
    """One season of the harbour, played by simpy in a thread of its own."""

    def __init__(self, bookings, by_hand):
        self.env = simpy.Environment()
        self.bookings = bookings
        self.by_hand = by_hand
        self.berths = simpy.Resource(self.env, capacity=2)
        self.report = queue.Queue()

    def add(self, party):
        self.env.process(party.life())

    def play(self):
        day = 0
        while True:
            day += 24
            self.env.run(until=day)
            self.report.put((day, self.berths.count))
            time.sleep(0.05)


class Ferry:
    def __init__(self, timetable, board, name):
        self.timetable = timetable
        self.board = board
        self.name = name
        self.carried = 0

    def next_party(self):
        if self.timetable.by_hand:
            return self.timetable.bookings.get()
        try:
            return self.timetable.bookings.get_nowait()
        except queue.Empty:
            return 0

    def life(self):
        env = self.timetable.env
        while True:
            with self.timetable.berths.request() as berth:
                yield berth
                self.carried += self.next_party()
                self.board.show(self.name, self.carried)
                yield env.timeout(1.5)
            yield env.timeout(2)


class Office:
    """Sells tickets, at the hours of the simulated day."""

    def __init__(self, timetable, board):
        self.timetable = timetable
        self.board = board
        self.sold = 0

    def life(self):
        env = self.timetable.env
        while True:
            yield env.timeout(4)
            self.sold += 1
            self.timetable.bookings.put(1 + self.sold % 5)
            self.board.show("office", self.sold)
