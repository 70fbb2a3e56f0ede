import collections
import os
import selectors
import threading


class Loop(threading.Thread):
    def __init__(self, name):
        super().__init__(name=name, daemon=True)
        self.calls = collections.deque()
        self.inlet, self.outlet = os.pipe()
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.inlet, selectors.EVENT_READ, self.drain)
        self.ran = 0

    def call(self, function, *arguments):
        self.calls.append((function, arguments))
        os.write(self.outlet, b"!")

    def drain(self):
        os.read(self.inlet, 4096)
        for _ in range(len(self.calls)):
            function, arguments = self.calls.popleft()
            function(*arguments)
            self.ran += 1

    def run(self):
        while True:
            for key, _events in self.selector.select():
                key.data()
