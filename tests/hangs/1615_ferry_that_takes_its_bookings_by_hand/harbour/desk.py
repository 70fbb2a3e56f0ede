import threading
import time


class Board:
    def __init__(self):
        self.lock = threading.Lock()
        self.lines = {}
        self.turns = 0

    def show(self, name, value):
        with self.lock:
            self.lines[name] = value

    def blink(self):
        while True:
            with self.lock:
                self.turns += len(self.lines) >= 0
            time.sleep(0.2)


class Desk:
    def __init__(self, timetable, board):
        self.timetable = timetable
        self.board = board
        self.days = []

    def close_season(self):
        while True:
            day, busy = self.timetable.report.get()
            self.days.append(busy)
            self.board.show("desk", day)
            del self.days[:-30]
