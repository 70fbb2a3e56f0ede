import multiprocessing
import os
import threading
import time

from harbour_office.berths import Office

ctx = multiprocessing.get_context("spawn")


def unload(berths, name, crates, pace):
    berth = berths.moor(name)
    try:
        for crate in range(crates):
            time.sleep(pace)
            if crate < 0:
                raise RuntimeError(name)
    finally:
        berths.cast_off(berth)


class Pilot(threading.Thread):
    def __init__(self, berths):
        super().__init__(name="pilot", daemon=True)
        self.berths = berths
        self.log = []

    def run(self):
        while True:
            self.log.append(self.berths.list_taken())
            del self.log[:-5]
            time.sleep(0.5)


class Fleet:
    def __init__(self, berths):
        self.berths = berths
        self.boats = []

    def send(self, name, crates, pace):
        boat = ctx.Process(target=unload, args=(self.berths, name, crates, pace), name=name)
        boat.start()
        self.boats.append(boat)
        return boat

    def arrived(self, count):
        while len(self.berths.list_taken()) < count:
            time.sleep(0.05)


def run_harbour(lose, crates):
    office = Office(ctx=ctx)
    office.start()
    berths = office.Berths(["quay"])
    fleet = Fleet(berths)
    first = fleet.send("Marie", 1000, 0.1)
    fleet.arrived(1)
    if lose:
        first.kill()
    fleet.send("Nora", crates, 0.1)
    Pilot(berths).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for boat in fleet.boats:
        boat.join()
