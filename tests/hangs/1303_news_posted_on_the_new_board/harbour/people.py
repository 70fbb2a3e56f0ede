import itertools
import threading
import time


class Pilot(threading.Thread):
    def __init__(self, name, board):
        super().__init__(name=name, daemon=True)
        self.board = board
        self.tides = []

    def run(self):
        edition = 0
        while True:
            edition, text = self.board.after(edition)
            self.tides = [*self.tides[-5:], text]


class Office(threading.Thread):
    def __init__(self, boards):
        super().__init__(name="office", daemon=True)
        self.boards = boards

    def run(self):
        for hour in itertools.count():
            time.sleep(0.1)
            self.boards.board("tides").post("%d cm" % (300 + hour % 90))
            self.boards.board("wind").post("%d knots" % (hour % 30))


class Captain:
    def __init__(self, boards):
        self.wind = boards.board("wind")
        self.log = []

    def sail(self):
        edition = 0
        while True:
            edition, text = self.wind.after(edition)
            self.log = [*self.log[-9:], text]
            time.sleep(0.01)
