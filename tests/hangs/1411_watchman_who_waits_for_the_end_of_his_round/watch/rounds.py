import logging
import threading

from futurist import periodics

log = logging.getLogger("watch.rounds")


class Gates:
    def __init__(self, number):
        self.lock = threading.Lock()
        self.closed = [False] * number

    def close_next(self):
        with self.lock:
            for index, closed in enumerate(self.closed):
                if not closed:
                    self.closed[index] = True
                    return index
        return None


class Night:
    def __init__(self, gates, graceful):
        self.gates = gates
        self.graceful = graceful
        self.lamps = 0
        self.worker = periodics.PeriodicWorker([(self.walk, (), {}), (self.trim_lamps, (), {})])

    @periodics.periodic(0.1, run_immediately=True)
    def walk(self):
        gate = self.gates.close_next()
        if gate is None:
            self.go_home()
        else:
            log.info("gate %d", gate)

    @periodics.periodic(0.2)
    def trim_lamps(self):
        self.lamps += 1

    def go_home(self):
        if self.graceful:
            self.worker.stop()
            self.worker.wait()
            log.info("all gates are closed")
