import gc
import os
import signal
import threading
import time

signal.alarm(120)


class Meter:
    def __init__(self):
        self.mutex = threading.RLock()
        self.readers = []

    def add_reader(self, reader):
        with self.mutex:
            self.readers = [*self.readers, reader]
            return [{"reader": one, "points": []} for one in self.readers * 5000]

    def count_collection(self, phase, info):
        with self.mutex:
            self.collections = info


def read_meters(meter):
    for number in range(10):
        meter.add_reader("reader-%d" % number)


if __name__ == "__main__":
    meter = Meter()
    gc.callbacks.append(meter.count_collection)
    print("MARK main pid=%d" % os.getpid())
    while True:
        meter.readers.clear()
        read_meters(meter)
        time.sleep(0.02)
