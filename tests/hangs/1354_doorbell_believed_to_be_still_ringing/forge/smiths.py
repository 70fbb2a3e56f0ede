import threading
import time
from concurrent.futures import Future


class Anvil:
    def __init__(self, reactor):
        self.reactor = reactor
        self.made = {}

    def strike(self, kind, heat):
        reply = Future()
        self.reactor.call(lambda: self._strike(kind, heat, reply))
        return reply

    def note(self, kind, weight):
        self.reactor.call(lambda: self._note(kind, weight))

    def _strike(self, kind, heat, reply):
        self.made[kind] = self.made.get(kind, 0) + 1
        reply.set_result(heat * 2)

    def _note(self, kind, weight):
        self.made[kind] += 1000 // weight


class Smith(threading.Thread):
    def __init__(self, name, anvil, heats, weight):
        super().__init__(name=name)
        self.anvil = anvil
        self.heats = heats
        self.weight = weight
        self.forged = []

    def forge(self, heat):
        self.forged.append(self.anvil.strike(self.name, heat).result())

    def run(self):
        for heat in range(self.heats):
            self.forge(heat)
            if heat == 10:
                self.anvil.note(self.name, self.weight)
            time.sleep(0.1)


class Bellows(threading.Thread):
    def __init__(self):
        super().__init__(name="bellows", daemon=True)
        self.breaths = 0

    def run(self):
        while True:
            self.breaths += 1
            time.sleep(0.6)
