import threading

import lox


class Room:
    def __init__(self):
        self.door = threading.Lock()
        self.lamp = lox.LightSwitch(self.door)
        self.shelf = {"atlas": 1, "hymnal": 4, "almanac": 2}
        self.edits = 0

    def read(self, title):
        with self.lamp:
            return self.shelf[title]

    def revise(self, title):
        with self.door:
            self.shelf[title] += 1
            self.edits += 1

    def correct(self, title, known):
        with self.lamp:
            if self.shelf[title] != known:
                return self.shelf[title]
            self.revise(title)
        return known + 1
