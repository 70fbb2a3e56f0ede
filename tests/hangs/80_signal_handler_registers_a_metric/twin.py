import os
import signal
import threading
import time

from prometheus_client import REGISTRY, Counter
from prometheus_client.core import GaugeMetricFamily

signal.alarm(120)
reloads = Counter("reloads", "Reloads of the settings")


class Disks:
    def collect(self):
        time.sleep(0.5)
        yield GaugeMetricFamily("disk_bytes", "Free bytes", value=7)


def count_reload(number, frame):
    reloads.inc()


def watch_disks():
    disks = Disks()
    REGISTRY.register(disks)
    REGISTRY.unregister(disks)


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, count_reload)
    print("MARK main pid=%d" % os.getpid())
    while True:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGHUP)).start()
        watch_disks()
