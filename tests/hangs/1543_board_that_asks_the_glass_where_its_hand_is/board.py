import threading
import time

from blessed import Terminal


class Departures(threading.Thread):
    def __init__(self):
        super().__init__(name="departures", daemon=True)
        self.rows = []

    def run(self):
        number = 0
        while True:
            time.sleep(0.3)
            self.rows = ["%02d:%02d  to the lake" % (number // 60 % 24, number % 60)]
            number += 7


class Board:
    """The rows of the hall, drawn below whatever stands there."""

    def __init__(self, departures):
        self.term = Terminal()
        self.departures = departures
        self.drawn = 0

    def place(self):
        row, _ = self.term.get_location()
        return min(row + 1, self.term.height - 2)

    def draw(self):
        row = self.place()
        for number, text in enumerate(list(self.departures.rows)):
            print(self.term.move_xy(0, row + number) + text, end="", flush=True)
        self.drawn += 1

    def run(self):
        with self.term.cbreak():
            while True:
                self.draw()
                time.sleep(0.5)


if __name__ == "__main__":
    departures = Departures()
    departures.start()
    Board(departures).run()
