import threading

from futurist import periodics


class Readings:
    def __init__(self):
        self.lock = threading.Lock()
        self.values = []

    def add(self, value):
        with self.lock:
            self.values.append(value)
            del self.values[:-200]

    def count(self):
        with self.lock:
            return len(self.values)


class Station:
    def __init__(self, readings, season):
        self.readings = readings
        self.season = season
        self.taken = 0
        self.worker = None

    @periodics.periodic(spacing=0.2, run_immediately=True)
    def sample(self):
        self.taken += 1
        self.readings.add((self.taken * 7) % 31)
        if self.season and self.taken >= self.season:
            self.close()

    @periodics.periodic(spacing=0.5)
    def trim(self):
        self.readings.count()

    def open(self):
        self.worker = periodics.PeriodicWorker.create([self])
        self.worker.start()

    def close(self):
        self.worker.stop()
        self.worker.wait()
        self.readings.add(-1)
