import threading
import time

from p4p.client.thread import Context
from p4p.nt import NTScalar
from p4p.server import Server, StaticProvider
from p4p.server.thread import SharedPV


class Setpoint:
    """What may be written from outside."""

    def put(self, pv, operation):
        pv.post(operation.value())
        operation.done()


class House:
    NAMES = ("vent", "heater", "lamp", "probe")

    def __init__(self):
        self.points = {
            name: SharedPV(handler=Setpoint(), nt=NTScalar("d"), initial=0.0) for name in self.NAMES
        }
        self.provider = StaticProvider("house")
        for name, point in self.points.items():
            self.provider.add("green:" + name, point)
        self.server = Server(providers=[self.provider], isolate=True)


class Sun(threading.Thread):
    def __init__(self, house):
        super().__init__(name="sun", daemon=True)
        self.house = house
        self.degrees = 12.0

    def run(self):
        while True:
            time.sleep(0.4)
            self.degrees += 0.5
            self.house.points["probe"].post(self.degrees)


class Gardener:
    """Keeps the vent as open as the probe says it should be."""

    def __init__(self, house):
        self.context = Context("pva", conf=house.server.conf(), useenv=False)
        self.seen = []
        self.opened = 0

    def watch(self, names):
        for name in names:
            self.context.monitor("green:" + name, self.on[name](self))

    def note(self, value):
        self.seen.append(float(value))

    def regulate(self, value):
        self.note(value)
        self.context.put("green:vent", min(float(value) / 40, 1.0), timeout=None)
        self.opened += 1

    on = {
        "probe": lambda self: self.regulate,
        "heater": lambda self: self.note,
        "lamp": lambda self: self.note,
    }
