import multiprocessing
import os
import tempfile
import time

import zmq

HOUSES = ("north", "south")


class Ferry:
    def __init__(self, house, seat, folder):
        self.house = house
        self.line = zmq.Context.instance().socket(zmq.DEALER)
        name = "%s-%d" % (house, seat) if FULL_NAMES else "ferry-%d" % seat
        self.line.setsockopt(zmq.IDENTITY, name.encode())
        self.line.connect("ipc://%s/harbour" % folder)
        self.route = None

    def report(self):
        self.line.send_json({"house": self.house, "state": "moored"})
        self.route = self.line.recv_json()

    def sail(self):
        while True:
            trip = self.line.recv_json()
            time.sleep(0.005)
            self.line.send_json({"trip": trip["trip"], "house": self.house})


class Harbour:
    def __init__(self, folder):
        self.line = zmq.Context.instance().socket(zmq.ROUTER)
        self.line.bind("ipc://%s/harbour" % folder)
        self.ferries = {}

    def await_ferries(self):
        while len(self.ferries) < len(HOUSES):
            name, _word = self.line.recv_multipart()
            self.ferries[name] = 0

    def hand_out_routes(self):
        for name in self.ferries:
            self.line.send_multipart([name, b'{"route": "round"}'])

    def sail(self):
        trip = 0
        while True:
            for name in self.ferries:
                self.line.send_multipart([name, b'{"trip": %d}' % trip])
            for _ in self.ferries:
                name, _word = self.line.recv_multipart()
                self.ferries[name] += 1
            trip += 1


def run_ferry(house, seat, folder):
    ferry = Ferry(house, seat, folder)
    ferry.report()
    ferry.sail()


def main():
    spawn = multiprocessing.get_context("spawn")
    folder = tempfile.mkdtemp(prefix="harbour-")
    harbour = Harbour(folder)
    for house in HOUSES:
        spawn.Process(
            target=run_ferry, args=(house, 0, folder), name="ferry-" + house, daemon=True
        ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    harbour.await_ferries()
    harbour.hand_out_routes()
    harbour.sail()


FULL_NAMES = False


if __name__ == "__main__":
    main()
