import gevent
from gevent.event import AsyncResult
from gevent.queue import Queue


class Profile:
    def __init__(self, name, minutes, moisture):
        self.name = name
        self.minutes = minutes
        self.moisture = moisture


class Oven:
    def __init__(self):
        self.roasted = 0

    def roast(self, profile):
        colour = 0.0
        for _minute in range(profile.minutes):
            gevent.sleep(0.02)
            colour += 10 / profile.moisture
        self.roasted += 1
        return profile.name, round(colour, 1)


class Thermometer:
    def __init__(self):
        self.readings = []

    def watch(self):
        while True:
            self.readings.append(len(self.readings) % 40 + 180)
            del self.readings[:-100]
            gevent.sleep(0.5)


class Roastery:
    def __init__(self, oven):
        self.oven = oven
        self.orders = Queue()
        self.shelf = {}

    def start_batch(self, profile):
        tasted = AsyncResult()
        batch = gevent.spawn(self.oven.roast, profile)
        batch.link_value(tasted)
        self.orders.put((profile, tasted))

    def taste(self):
        while True:
            _profile, tasted = self.orders.get()
            name, colour = tasted.get()
            self.shelf.setdefault(name, []).append(colour)
            del self.shelf[name][:-10]

    def plan(self, profiles):
        for profile in profiles:
            self.start_batch(profile)
            gevent.sleep(0.1)
