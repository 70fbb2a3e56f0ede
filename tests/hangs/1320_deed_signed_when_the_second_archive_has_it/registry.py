import queue
import threading
import time

import redis


class Registry:
    def __init__(self, port, copies):
        self.archive = redis.Redis(port=port)
        self.copies = copies
        self.deeds = queue.Queue(10)
        self.signed = 0

    def deposit(self, deed, text):
        self.archive.set("deed:%d" % (deed % 50), text)
        self.archive.wait(self.copies, 0)
        self.signed += 1

    def serve(self):
        while True:
            deed, text = self.deeds.get()
            self.deposit(deed, text)


class Notary(threading.Thread):
    def __init__(self, registry):
        super().__init__(name="notary", daemon=True)
        self.registry = registry

    def run(self):
        number = 0
        while True:
            self.registry.deeds.put((number, "field and house no. %d" % number))
            number += 1
            time.sleep(0.05)


class Clock(threading.Thread):
    def __init__(self, port):
        super().__init__(name="clock", daemon=True)
        self.archive = redis.Redis(port=port)

    def run(self):
        while True:
            self.archive.setex("clock", 60, time.time())
            time.sleep(1)
