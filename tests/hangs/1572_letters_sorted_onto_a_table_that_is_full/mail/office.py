import threading
import time

from threadpool import makeRequests


class Office:
    def __init__(self, pool):
        self.pool = pool
        self.lock = threading.Lock()
        self.streets = {}

    def sort(self, letter):
        time.sleep(0.002)
        return letter, sum(map(ord, letter)) % 5

    def file(self, request, result):
        letter, street = result
        with self.lock:
            self.streets.setdefault(street, []).append(letter)
            del self.streets[street][:-20]

    def hand_out(self, letters):
        for request in makeRequests(self.sort, letters, self.file):
            self.pool.putRequest(request)

    def collect(self):
        self.pool.wait()


class Clock:
    def __init__(self, office):
        self.office = office
        self.counts = []

    def run(self):
        while True:
            with self.office.lock:
                self.counts.append(sum(map(len, self.office.streets.values())))
                del self.counts[:-10]
            time.sleep(0.5)
