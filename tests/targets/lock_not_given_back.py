"""A function took a plain lock and returned without giving it back."""

import threading

from ready import ready


class Fan:
    def __init__(self):
        self.bus = threading.Lock()

    def read(self, device):
        self.bus.acquire()
        if device is None:
            return None
        self.bus.release()
        return device

    def report(self):
        with self.bus:
            return 1


if __name__ == "__main__":
    fan = Fan()
    fan.read(None)
    ready()
    fan.report()
