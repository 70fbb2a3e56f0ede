import os

import urwid


class Board:
    def __init__(self):
        self.loop = urwid.SelectEventLoop()
        self.lines = []
        self.ear, self.mouth = os.pipe()
        self.loop.watch_file(self.ear, self.take_line)

    def take_line(self):
        self.lines.append(os.read(self.ear, 100))

    def departed(self, train):
        self.lines = [line for line in self.lines if line != train]
        raise urwid.ExitMainLoop

    def close_after(self, seconds, train):
        self.loop.alarm(seconds, lambda: self.departed(train))

    def show(self):
        self.loop.run()
