import os
import selectors
import threading
from collections import deque


class Reactor(threading.Thread):
    """Calls what it is given, in one thread."""

    def __init__(self):
        super().__init__(name="reactor", daemon=True)
        self.calls = deque()
        self.selector = selectors.DefaultSelector()
        self._out, self._into = os.pipe()
        self.selector.register(self._out, selectors.EVENT_READ, self._rung)

    def call(self, function, *args):
        self.calls.append((function, args))
        os.write(self._into, b"!")

    def watch(self, stream, function):
        self.selector.register(stream, selectors.EVENT_READ, function)

    def _rung(self):
        os.read(self._out, 4096)
        for _ in range(len(self.calls)):
            function, args = self.calls.popleft()
            function(*args)

    def run(self):
        while True:
            for key, _mask in self.selector.select():
                key.data()
