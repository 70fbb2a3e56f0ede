import logging
import threading
import time

from futurist import periodics

log = logging.getLogger("caretaker")


class Boiler:
    def __init__(self):
        self.guard = threading.Lock()
        self.degrees = 20

    def heat(self):
        with self.guard:
            self.degrees += 9
            return self.degrees


class House:
    def __init__(self, boiler, limit):
        self.boiler = boiler
        self.limit = limit
        self.worker = None
        self.rounds = 0

    def close(self):
        log.warning("closing after %d rounds", self.rounds)
        self.worker.stop()
        self.worker.wait()
        with self.boiler.guard:
            self.boiler.degrees = 20

    @periodics.periodic(0.2, run_immediately=True)
    def check_boiler(self):
        self.rounds += 1
        if self.boiler.heat() > self.limit:
            self.close()

    @periodics.periodic(0.5)
    def sweep_stairs(self):
        time.sleep(0.05)

    def start(self):
        rounds = [(self.check_boiler, (), {}), (self.sweep_stairs, (), {})]
        self.worker = periodics.PeriodicWorker(rounds)
        keeper = threading.Thread(target=self.worker.start, name="rounds", daemon=True)
        keeper.start()
        return keeper


class Doorbell(threading.Thread):
    def __init__(self):
        super().__init__(name="doorbell", daemon=True)

    def run(self):
        while True:
            time.sleep(1)


def run(limit):
    house = House(Boiler(), limit)
    Doorbell().start()
    keeper = house.start()
    keeper.join()
    log.info("closed")
