import threading

from circuits import Component, Event, Timer


class shout(Event):
    """A call into the valley."""


class echoed(Event):
    """It has come back."""


class tick(Event):
    """Time goes on."""


class Cliff(Component):
    def __init__(self):
        super().__init__()
        self.echoes = 0

    def shout(self, word):
        self.echoes += 1
        self.fire(echoed(word))


class Hiker(Component):
    def __init__(self, waits):
        super().__init__()
        self.waits = waits
        self.heard = {}

    def step(self, word):
        self.heard[word] = threading.Event()
        self.fire(shout(word))
        if self.waits:
            self.heard[word].wait()
        return word

    def echoed(self, word):
        self.heard[word].set()


class Clock(Component):
    def __init__(self, hiker):
        super().__init__()
        self.hiker = hiker
        self.ticks = 0
        Timer(0.1, tick(), persist=True).register(self)

    def tick(self):
        self.ticks += 1
        self.hiker.step("hallo-%d" % self.ticks)


class Valley(Component):
    def __init__(self, waits):
        super().__init__()
        hiker = Hiker(waits).register(self)
        Cliff().register(self)
        Clock(hiker).register(self)
