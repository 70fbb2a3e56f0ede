import queue
import threading
import time
from concurrent.futures import Future

import h5py


class Surveyor(threading.Thread):
    def __init__(self, number, atlas, sheets):
        super().__init__(name="surveyor-%d" % number, daemon=True)
        self.atlas = atlas
        self.sheets = sheets

    def measure(self, name, reply):
        reply.set_result(self.atlas.heights(name))

    def run(self):
        while True:
            self.measure(*self.sheets.get())


class Party:
    def __init__(self, atlas, surveyors):
        self.atlas = atlas
        self.sheets = queue.Queue()
        self.peaks = {}
        for number in range(surveyors):
            Surveyor(number, atlas, self.sheets).start()

    def ask(self, name):
        reply = Future()
        self.sheets.put((name, reply))
        return reply

    def visit(self, name, item):
        if isinstance(item, h5py.Dataset):
            self.peaks[name] = self.ask(name).result()

    def survey(self, leafing):
        if leafing:
            self.atlas.leaf(self.visit)
            return
        for name in self.atlas.names():
            self.peaks[name] = self.ask(name).result()


class Weather(threading.Thread):
    def __init__(self):
        super().__init__(name="weather", daemon=True)
        self.wind = 0

    def run(self):
        while True:
            self.wind = (self.wind + 7) % 90
            time.sleep(0.5)
