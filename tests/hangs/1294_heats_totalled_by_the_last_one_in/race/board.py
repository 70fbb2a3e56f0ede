import threading


class Board:
    """Times of all lanes, totalled after each heat."""

    def __init__(self, lanes):
        self.guard = threading.Lock()
        self.times = {}
        self.heats = []
        self.finish = threading.Barrier(lanes, action=self.total)

    def note(self, lane, seconds):
        with self.guard:
            self.times[lane] = seconds

    def total(self):
        with self.guard:
            self.heats = [*self.heats[-30:], sum(self.times.values())]
            self.times.clear()

    def penalty(self, lane, seconds):
        with self.guard:
            self.times[lane] = self.times.get(lane, 0) + seconds
            self.finish.wait()
