import os
import signal
import threading
import time

from prometheus_client import REGISTRY, Counter
from prometheus_client.core import GaugeMetricFamily

signal.alarm(120)


class Disks:
    def collect(self):
        time.sleep(2)
        yield GaugeMetricFamily("disk_bytes", "Free bytes", value=7)


def count_reload(number, frame):
    Counter("reloads", "Reloads of the settings").inc()


def watch_disks():
    REGISTRY.register(Disks())


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, count_reload)
    print("MARK main pid=%d" % os.getpid())
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGHUP)).start()
    watch_disks()
