import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from hooks import impl, manager

log = logging.getLogger("press")


class Ink:
    def __init__(self):
        self.valve = threading.Lock()
        self.left = 10**6

    def take(self, drops):
        with self.valve:
            self.left -= drops
            return drops


class InkKeeper:
    """Counts the ink of a sheet, from before it is printed until after."""

    def __init__(self, ink):
        self.ink = ink
        self.used = []

    @impl(wrapper=True)
    def print_sheet(self, sheet):
        with self.ink.valve:
            before = self.ink.left
            result = yield
            self.used = [*self.used[-50:], before - self.ink.left]
        return result


class Colours:
    def __init__(self, ink, helpers):
        self.ink = ink
        self.helpers = helpers

    def lay(self, colour):
        time.sleep(0.02)
        return self.ink.take(3)

    @impl
    def print_sheet(self, sheet):
        laid = [self.helpers.submit(self.lay, colour) for colour in "cmyk"]
        return [one.result() for one in laid]


class Stamp:
    @impl(tryfirst=True)
    def print_sheet(self, sheet):
        return "no. %d" % sheet


class Clock(threading.Thread):
    def __init__(self):
        super().__init__(name="clock", daemon=True)

    def run(self):
        while True:
            time.sleep(1)


def run(counted):
    ink, plugins = Ink(), manager()
    plugins.register(Stamp())
    plugins.register(Colours(ink, ThreadPoolExecutor(3, "roller")))
    if counted:
        plugins.register(InkKeeper(ink))
    Clock().start()
    sheet = 0
    while True:
        plugins.hook.print_sheet(sheet=sheet)
        sheet += 1
