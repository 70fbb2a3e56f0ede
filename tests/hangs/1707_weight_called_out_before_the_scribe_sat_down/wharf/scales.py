import threading

from circuits import Component, Event


class weighed(Event):
    """A load is on the scales."""


class entry(Event):
    """A load is to be written down."""


class Scales(Component):
    channel = "scales"

    def weigh(self, load):
        self.fire(weighed(load), "scales")


class Scribe(Component):
    channel = "scribe"

    def __init__(self, late):
        super().__init__()
        self.late = late
        self.lines = 0
        self.written = threading.Event()

    def entry(self, load):
        if self.late:
            yield self.call(weighed(load), "scales")
            yield self.wait("weighed", "scales")
        else:
            yield self.call(weighed(load), "scales")
        self.lines += 1
        self.written.set()


class Book:
    def __init__(self, scribe):
        self.scribe = scribe

    def enter(self, load):
        self.scribe.written.clear()
        self.scribe.fire(entry(load), "scribe")
        self.scribe.written.wait()
