import logging
import pathlib
import subprocess
import sys
import threading
import time

import statsd

log = logging.getLogger("meters")
HERE = pathlib.Path(__file__).parent


class Telemetry:
    def __init__(self, port):
        self.wire = statsd.TCPStatsClient("127.0.0.1", port)
        self.turn = threading.Lock()

    def report(self, rooms):
        with self.turn:
            with self.wire.pipeline() as batch:
                for room, watts in rooms.items():
                    batch.gauge("house.room.%s.watts" % room, watts)


class Meter(threading.Thread):
    def __init__(self, name, telemetry):
        super().__init__(name=name, daemon=True)
        self.telemetry = telemetry
        self.reports = 0

    def rooms(self):
        return {"%s-%04d" % (self.name, n): n + self.reports for n in range(2000)}

    def run(self):
        while True:
            self.telemetry.report(self.rooms())
            self.reports += 1
            time.sleep(0.02)


class Fuse(threading.Thread):
    def __init__(self, meters):
        super().__init__(name="fuse", daemon=True)
        self.meters = meters

    def run(self):
        while True:
            time.sleep(1)
            log.info("%d reports", sum(meter.reports for meter in self.meters))


def run(listener):
    collector = [sys.executable, str(HERE / "collector.py"), listener]
    collector = subprocess.Popen(collector, stdout=subprocess.PIPE)
    telemetry = Telemetry(int(collector.stdout.readline()))
    meters = [Meter(name, telemetry) for name in ("cellar", "attic", "hall")]
    for meter in meters:
        meter.start()
    Fuse(meters).start()
    for meter in meters:
        meter.join()
