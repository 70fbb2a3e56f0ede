import os
import signal
import threading
import time

from gauge import Gauge, native

signal.alarm(120)


class SafeGauge(Gauge):
    def report(self, pause):
        native.pthread_rwlock_rdlock(self.gate)
        try:
            pause()
            return f"level {self.level}"
        finally:
            native.pthread_rwlock_unlock(self.gate)


def fill(gauge):
    while True:
        gauge.set_level(gauge.level + 1)
        time.sleep(0.05)


def watch_tank():
    gauge = SafeGauge()
    threading.Thread(target=fill, args=(gauge,), name="inlet").start()
    while True:
        gauge.report(lambda: time.sleep(0.1))
        time.sleep(0.05)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    watch_tank()
