import os
import queue
import threading
import time

from gazette.hub import Hub


class Reader:
    def __init__(self, hub, topic, patience, in_place):
        self.patience = patience
        self.in_place = in_place
        self.items = []
        self.subscription = hub.subscribe(topic, self.read)

    def read(self, item):
        self.items.append(item)
        if len(self.items) == self.patience and self.in_place:
            self.subscription.close()


class Desk(threading.Thread):
    def __init__(self, name, hub, wire):
        super().__init__(name=name, daemon=True)
        self.hub = hub
        self.wire = wire
        self.reached = 0

    def run(self):
        while True:
            topic, item = self.wire.get()
            self.reached += self.hub.publish(topic, item)


def gazette(in_place):
    hub = Hub()
    wire = queue.Queue(8)
    Reader(hub, "rain", 5, in_place)
    Reader(hub, "sport", 10**9, in_place)
    Desk("desk", hub, wire).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        number += 1
        wire.put(("rain" if number % 2 else "sport", number))
        time.sleep(0.05)
