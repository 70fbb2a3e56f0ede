import time


class Office:
    """Grants water to the sluice, by what all basins hold together."""

    def __init__(self, levels, line, strokes):
        self.levels = levels
        self.line = line
        self.strokes = strokes
        self.granted = 0
        self.shown = []

    def total(self):
        with self.levels.get_lock():
            return sum(self.levels)

    def answer(self):
        while True:
            _basin, wanted = self.line.recv()
            granted = wanted if self.total() < 300 else -wanted
            self.granted += granted
            self.line.send(granted)

    def show(self):
        while True:
            self.shown.append(self.strokes.value)
            del self.shown[:-20]
            time.sleep(0.2)
